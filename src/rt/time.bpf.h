/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * time.bpf.h: the part of the run-time library that waits.
 */

struct chill {
	u64 until;
};

static long chill_step(u32 i, struct chill *c)
{
	return ktime() >= c->until;
}

/* Keeps the CPU busy until a time of bpf_ktime_get_ns.  One loop lasts at least 100 ms. */
RT u64 rt_chill(u64 until)
{
	struct chill c = {until};

	for (u32 i = 0; i < 5 && ktime() < until; i++)
		loop(ENDLESS, chill_step, &c, 0);
	return 0;
}
