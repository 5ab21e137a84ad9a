/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz_record.c: any bytes as records of the ring buffer, for a consumer of a program with items of
 * every kind.  The first byte of each record is its length.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../exec/stage.h"

static const char program[] =
    "struct s { int a; char b[5]; };\n"
    "struct s v;\n"
    "BEGIN\n"
    "{\n"
    "	printf(\"%d %s %x %c %p %S %5.3s %*d\\n\", 1, execname, 2, 'a', curthread,\n"
    "	    execname, execname, 3, 4);\n"
    "	trace(v); trace(execname); tracemem(curthread, 16, 7); trace(1);\n"
    "	stack(2); ustack(2); sym(1); usym(1); mod(1); uaddr(1);\n"
    "	@[execname, 1] = quantize(1); @b = count();\n"
    "	printa(@); clear(@); trunc(@b, 1); normalize(@, 3);\n"
    "}\n"
    "ERROR { trace(arg4); }\n";

static const struct fire firing = {
    .pid = 100, .tid = 100, .ppid = 1, .time = 1000000, .comm = "fuzz"};

static struct session *s;
static struct stage g;
static char *out;
static size_t out_size;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	s = session_new("dtrace");
	s->consume.file = s->report.file = open_memstream(&out, &out_size);
	stage_init(&g, s, &firing, &firing);
	compile_add_text(&s->compile, LANG_SPEC_NONE, program);
	if (stage_start(&g, false))
		return 0;
	fputs("the program of fuzz_record cannot be started\n", stderr);
	exit(1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	while (size > 1) {
		size_t n = 1 + data[0] * 4U;
		void *rec;

		if (n > size - 1)
			n = size - 1;
		rec = malloc(n);
		memcpy(rec, data + 1, n);
		consume_record(&s->consume, rec, n);
		free(rec);
		data += n + 1;
		size -= n + 1;
	}
	rewind(s->consume.file);
	return 0;
}
