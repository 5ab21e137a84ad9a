/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * limits.c: compares options with the machine.  Sizes that do not fit in memory are halved until
 * they fit, or refused (bufresize=manual).  Rates are adjusted to their range.
 */
#include <errno.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/file.h"
#include "kern/kern.h"
#include "print/msg.h"
#include "session/session.h"

static void set_number(struct session *s, const char *option, uint64_t n)
{
	session_setopt(s, option, arena_printf(s->arena, "%llu", (unsigned long long)n));
}

/* Returns half of the memory, which buffers may use. */
static uint64_t room(void)
{
	return (uint64_t)sysconf(_SC_PHYS_PAGES) / 2 * (uint64_t)sysconf(_SC_PAGESIZE);
}

static bool fit_size(struct session *s, enum opt opt, const char *option, const char *what,
		     uint64_t max)
{
	const char *resize = s->opts.is_set[OPT_bufresize] ? s->opts.text[OPT_bufresize] : "auto";
	uint64_t n = s->opts.num[opt];
	struct buf b = {0};

	if (n <= max)
		return true;
	if (strcasecmp(resize, "auto") != 0) {
		report_error(&s->report, "could not enable tracing: %s", strerror(ENOMEM));
		return false;
	}
	while (n > max)
		n /= 2;
	set_number(s, option, n);
	msg_size(&b, what, n);
	if (!s->opts.is_set[OPT_quietresize])
		report_error(&s->report, "%s", b.s);
	buf_free(&b);
	return true;
}

static void fit_rate(struct session *s, enum opt opt, const char *option, const char *what,
		     uint64_t min, uint64_t max)
{
	uint64_t n = s->opts.num[opt], got = n < min ? min : n > max ? max : n;
	struct buf b = {0};

	if (got == n)
		return;
	set_number(s, option, got);
	msg_rate(&b, what, n, got);
	report_error(&s->report, "%s", b.s);
	buf_free(&b);
}

/* The ranges of rates, in nanoseconds, as in the reference. */
#define SECOND 1000000000ULL

bool session_fit_options(struct session *s)
{
	uint64_t ncpu = kern_ncpu_possible(s->plan.env.kern), all = room(), ring = LOAD_RING_MAX;

	fit_rate(s, OPT_cleanrate, "cleanrate", "cleaning", SECOND / 5000, 60 * SECOND);
	fit_rate(s, OPT_statusrate, "statusrate", "status", 0, 10 * SECOND);
	if (s->plan.opt.policy != PLAN_RING && s->consume.path &&
	    file_is_numbered(s->consume.path)) {
		report_error(&s->report, "'%s': a number for %%n needs -x bufpolicy=ring",
			     s->consume.path);
		return false;
	}
	return fit_size(s, OPT_bufsize, "bufsize", "buffer", (all < ring ? all : ring) / ncpu) &&
	       fit_size(s, OPT_aggsize, "aggsize", "aggregation", all / ncpu) &&
	       fit_size(s, OPT_specsize, "specsize", "speculation", all / ncpu) &&
	       fit_size(s, OPT_dynvarsize, "dynvarsize", "dynamic variable", all);
}
