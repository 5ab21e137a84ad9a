/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz_compile.c: any bytes as a D script, through the whole compiler.  If it compiles, the
 * interpreter runs BEGIN and END, and the consumer reads their records.  The first byte chooses the
 * level of optimization.  Scripts that set options other than quiet are skipped, because some
 * options affect the machine.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../exec/stage.h"
#include "base/arena.h"

static const struct fire firing = {
    .pid = 100, .tid = 100, .ppid = 1, .time = 1000000, .comm = "fuzz"};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct session *s = session_new("dtrace");
	struct stage g;
	char *text, *out = NULL, *option;
	size_t n = 0;

	s->consume.file = s->report.file = open_memstream(&out, &n);
	stage_init(&g, s, &firing, &firing);
	text = arena_strndup(s->arena, (const char *)data + (size > 0), size - (size > 0));
	option = strstr(text, "option");
	if (!option ||
	    (strncmp(option, "option quiet\n", 13) == 0 && !strstr(option + 1, "option"))) {
		session_setopt(s, "opt", size && data[0] & 1 ? "2" : "0");
		compile_add_text(&s->compile, LANG_SPEC_NONE, text);
		if (stage_start(&g, false) && s->load.state) {
			session_go(s);
			session_stop(s);
		}
	}
	FILE *f = s->consume.file;

	session_free(s);
	fclose(f);
	free(out);
	return 0;
}
