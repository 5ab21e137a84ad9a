/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hotspot.bpf.h: the frames of Java in machine code of HotSpot.
 */
ALWAYS_INLINE u32 hotspot_frame(const struct abi_hotspot *hs, struct abi_walk *w,
				struct lang_frame *res)
{
	return 0;
}

RT u64 rt_hotspot_leave(struct abi_walk *w)
{
	return 0;
}
