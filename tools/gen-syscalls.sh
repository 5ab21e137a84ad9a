#!/bin/sh
# gen-syscalls.sh [32]: prints the rows of kern/syscalls.c from the headers of the C library, one { nr, "name" } per
# line.  Some numbers are defined as names of others, so the preprocessor expands them.
#
# 32: prints the calls of 32-bit programs: { nr, "name", number of the 64-bit call of this name, or -1 }.  On
# architectures without such a header, as arm64, it prints nothing.
set -eu

# rows HEADER: prints number and name, sorted by number.
rows() {
	names=$(echo "$1" | ${CC:-cc} -E -dM - | sed -n 's/^#define __NR_\([a-z0-9_]*\) .*/\1/p' |
		grep -v -e '^syscalls$' -e '^arch_specific_syscall$')
	{
		echo "$1"
		for name in $names; do echo "row __NR_$name \"$name\""; done
	} | ${CC:-cc} -E -P - | awk '$1 == "row" { print $2, $3 }' | sort -n
}

native=$(rows '#include <sys/syscall.h>')
if [ "${1:-}" != 32 ]; then
	echo "$native" | awk '{ printf "\t{ %d, %s },\n", $1, $2 }'
elif echo '#include <asm/unistd_32.h>' | ${CC:-cc} -E - >/dev/null 2>&1; then
	{
		echo "$native"
		echo end
		rows '#include <asm/unistd_32.h>'
	} | awk '$1 == "end" { is_32 = 1; next }
		!is_32 { number[$2] = $1; next }
		{ printf "\t{ %d, %s, %d },\n", $1, $2, $2 in number ? number[$2] : -1 }'
fi
