/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * go.bpf.h: the goroutine that a thread of a Go program runs.
 */

#define GO_M 48 /* in a runtime.g: its m (all versions that gotable.h knows) */

/* A word of the process, 0 if it cannot be read. */
ALWAYS_INLINE u64 user_word_at(u64 addr)
{
	u64 v = 0;

	return user_word(addr, &v) ? v : 0;
}

/*
 * Returns the number of the goroutine; 0: none.  tls: the thread pointer; the runtime keeps its g
 * in the word before it.  places: offsets of the number in a g, and of the running goroutine in an
 * m, 16 bits each, the first lowest.  The g of the system stack has no number, but its m names the
 * goroutine that it works for.
 */
RT u64 rt_goid(u64 tls, u64 places)
{
	u64 g = user_word_at(tls - 8), m, id;

	if (!tls || !g)
		return 0;
	id = user_word_at(g + (places & 0xffff));
	if (id)
		return id;
	m = user_word_at(g + GO_M);
	g = m ? user_word_at(m + (places >> 16 & 0xffff)) : 0;
	return g ? user_word_at(g + (places & 0xffff)) : 0;
}
