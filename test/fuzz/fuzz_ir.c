/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz_ir.c: any bytes as IR text.  If the text parses and verifies, it must pass the optimizer and
 * the code generator, and the printer's output must parse again.
 */
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "bpf/codegen.h"
#include "ir/ir.h"
#include "opt/opt.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *a = arena_new();
	char *text = arena_strndup(a, (const char *)data, size);
	struct bpf_target target = {.nregs = 0};
	struct ir_module *m;
	struct buf b = {0};
	const char *err;

	m = ir_parse(a, text, &err);
	if (m && !ir_verify(m)) {
		ir_print(&b, m);
		assert(ir_parse(a, buf_str(&b), &err));
		opt_run(m, 2);
		assert(!ir_verify(m));
		bpf_codegen(a, m, &target, &err);
	}
	buf_free(&b);
	arena_free(a);
	return 0;
}
