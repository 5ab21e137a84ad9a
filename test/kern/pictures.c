/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pictures.c LEFT RIGHT [MICROSECONDS]: writes LEFT and RIGHT times through two functions, with a
 * pause between the writes.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static volatile int done;

__attribute__((noinline)) void pic_leaf(int fd, int n)
{
	while (n--)
		if (write(fd, "pictures", 8) != 8)
			exit(1);
	done++;
}

__attribute__((noinline)) void pic_left(int fd, int n)
{
	pic_leaf(fd, n);
	done++;
}

__attribute__((noinline)) void pic_right(int fd, int n)
{
	pic_leaf(fd, n);
	done++;
}

int main(int argc, char **argv)
{
	int fd = open("/dev/null", O_WRONLY);

	if (argc < 3 || fd < 0)
		return 1;
	pic_left(fd, atoi(argv[1]));
	if (argc > 3)
		usleep((useconds_t)atoi(argv[3]));
	pic_right(fd, atoi(argv[2]));
	return 0;
}
