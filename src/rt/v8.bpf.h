/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * v8.bpf.h: the frames of JavaScript in machine code of V8.
 */
ALWAYS_INLINE u32 v8_frame(const struct abi_v8 *v8, struct abi_walk *w, struct lang_frame *res)
{
	return 0;
}
