/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * run_code.h: runs BPF code in the interpreter, as dtrace does: it is checked first.
 */
#ifndef TEST_RUN_CODE_H
#define TEST_RUN_CODE_H

#include "bpf/interp.h"

static inline bool run_code(struct bpf_interp *in, const struct bpf_code *c,
			    const struct bpf_firing *f, uint64_t *r)
{
	return bpf_interp_check(in, c) && bpf_interp_run(in, c, f, r);
}

#endif
