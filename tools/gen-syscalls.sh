#!/bin/sh
# Print the rows of kern/syscalls.c from the C library's headers: one { nr, "name" } a line.
set -eu
printf '#include <sys/syscall.h>\n' | ${CC:-cc} -E -dM - | sed -n 's/^#define __NR_\([a-z0-9_]*\) \([0-9]*\)$/\2 \1/p' |
	sort -n | awk '{ printf "\t{ %d, \"%s\" },\n", $1, $2 }'
