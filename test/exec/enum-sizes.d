/* An enumeration of a C header has 8 bytes if 4 cannot hold its values. */
#pragma D option quiet

# 1 "header.h"
enum small { LOWEST = -2147483648 };
enum small_unsigned { ZERO, HIGHEST = 0xffffffff };
enum low { LOWER = -2147483649 };
enum high { HIGHER = 0x100000000 };
enum both_signs { NEGATIVE = -1, POSITIVE = 0x80000000 };
enum epoll { EPOLLET_ = 1u << 31 } e;

BEGIN
{
	printf("%d %d\n", sizeof(enum small), sizeof(enum small_unsigned));
	printf("%d %d %d\n", sizeof(enum low), sizeof(enum high), sizeof(enum both_signs));
	e = EPOLLET_;
	printf("%d %x\n", e == EPOLLET_, e);
	exit(0);
}
