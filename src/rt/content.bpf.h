/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * content.bpf.h: the content of texts, by which functions of some languages are known.  Their
 * addresses say little, because an allocator gives the memory of a freed function to the next one.
 */
static long (*const read_user_str)(void *dst, u32 size, const void *src) = (void *)114;

#define CONTENT_SIZE (ABI_CONTENT_WORDS * 8)

/*
 * Adds a text, which ends with a NUL or after `left` bytes, to a number (abi.h).  Returns 0 if it
 * is unreadable.
 */
ALWAYS_INLINE u64 add_content(u64 number, u64 addr, u64 left, u64 part[ABI_CONTENT_WORDS])
{
#pragma clang loop unroll(disable)
	for (u32 i = 0; i < ABI_CONTENT_PARTS; i++) {
		u64 most = left;
		long n;

		if (most > CONTENT_SIZE - 1)
			most = CONTENT_SIZE - 1;
		/* Linux 6.1 knows the bound only if the sum is apart from the comparison. */
		asm volatile("" : "+r"(most));
		part[0] = part[1] = part[2] = part[3] = 0;
		n = read_user_str(part, (u32)most + 1, (const void *)addr);
		if (n <= 0)
			return 0;
		number = abi_mix_words(number, part, ABI_CONTENT_WORDS);
		if (n < CONTENT_SIZE)
			break;
		addr += CONTENT_SIZE - 1;
		left -= CONTENT_SIZE - 1;
	}
	return number;
}
