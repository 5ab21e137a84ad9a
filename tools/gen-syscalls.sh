#!/bin/sh
# Print the rows of kern/syscalls.c from the C library's headers: one { nr, "name" } a line.  Some
# numbers are names of others, so that the preprocessor is asked for both.
set -eu
header='#include <sys/syscall.h>'
names=$(echo "$header" | ${CC:-cc} -E -dM - | sed -n 's/^#define __NR_\([a-z0-9_]*\) .*/\1/p' |
	grep -v -e '^syscalls$' -e '^arch_specific_syscall$')
{
	echo "$header"
	for name in $names; do echo "row __NR_$name \"$name\""; done
} | ${CC:-cc} -E -P - | awk '$1 == "row" { print $2, $3 }' | sort -n |
	awk '{ printf "\t{ %d, %s },\n", $1, $2 }'
