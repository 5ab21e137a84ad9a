/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * operand.c: the syntax that all assemblers share.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arch/operand.h"

int operand_name(const char *const *names, const char *text, size_t n)
{
	for (int i = 0; names[i]; i++)
		if (strlen(names[i]) == n && memcmp(names[i], text, n) == 0)
			return i;
	return -1;
}

bool operand_number(const char *text, size_t n, int64_t *v)
{
	char digits[32], *end;

	if (!n || n >= sizeof(digits) || text[0] == ' ')
		return false;
	memcpy(digits, text, n);
	digits[n] = '\0';
	errno = 0;
	*v = digits[0] == '-' ? strtoll(digits, &end, 0) : (int64_t)strtoull(digits, &end, 0);
	return !*end && !errno;
}
