/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz_saved.c: any bytes as output of dtrace that was saved as json or jsonl (option --from), and
 * all pictures and files for viewers of it.  The first byte that is 0 separates two runs, which are
 * compared.
 *
 * A picture is valid UTF-8 without control characters, whatever the file contains.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/buf.h"
#include "chart/chart.h"
#include "chart/firefox.h"
#include "chart/flame.h"
#include "chart/folded.h"
#include "chart/heat.h"
#include "print/out.h"
#include "chart/page.h"
#include "chart/otlp.h"
#include "chart/pprof.h"
#include "chart/speedscope.h"
#include "config/report.h"
#include "sink/saved.h"

static struct report report = {.progname = "dtrace"};

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	report.file = fopen("/dev/null", "w");
	return !report.file;
}

static bool read_run(struct chart *c, const uint8_t *data, size_t size, unsigned int run)
{
	int fd = memfd_create("saved", MFD_CLOEXEC);
	char path[32];
	bool ok;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (write(fd, data, size) != (ssize_t)size)
		abort();
	ok = saved_read(&report, c, path, run);
	close(fd);
	return ok;
}

static void check_text(const struct buf *b)
{
	for (size_t i = 0, n; i < b->n; i += n) {
		unsigned char c = (unsigned char)b->s[i];

		n = out_utf8_len(b->s + i, b->n - i);
		if (!n || (c < ' ' && c != '\n' && c != '\t') || c == 0x7f)
			abort();
	}
}

static void write_stacks(struct buf *b, struct chart *c, struct chart_agg *a)
{
	struct buf packed = {0};

	folded_write(b, c, a);
	speedscope_write(b, c, a);
	pprof_write(&packed, c, a);
	firefox_write(&packed, c, a);
	chart_otlp_write(&packed, c, a);
	buf_free(&packed);
}

static void draw(struct chart *c)
{
	struct buf b = {0}, note = {0};

	chart_rank(c);
	for (unsigned int i = 0; i < c->aggs.n; i++) {
		struct chart_agg *a = c->aggs.a[i];

		if (a->run + 1 != c->nruns)
			continue;
		flame_draw(&b, c, a, c->nruns > 1 ? chart_agg_named(c, a->name, 0) : NULL, true,
			   &note);
		heat_draw(&b, c, a, true, &note);
		write_stacks(&b, c, a);
	}
	page_draw(&b, c, "now");
	check_text(&b);
	check_text(&note);
	buf_free(&b);
	buf_free(&note);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *zero = memchr(data, 0, size);
	struct chart *c = chart_new();
	size_t first = zero ? (size_t)(zero - data) : size;

	c->nruns = zero ? 2 : 1;
	c->runs[0].name = "first";
	c->runs[1].name = "second";
	/* A file that ends in an error has rows, too, but nothing is drawn then. */
	if (read_run(c, data, first, 0) && (!zero || read_run(c, zero + 1, size - first - 1, 1))) {
		if (zero)
			chart_pair(c);
		draw(c);
	}
	chart_free(c);
	return 0;
}
