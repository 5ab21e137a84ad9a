#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# lines.t: inlined functions and source lines in stacks, compared with addr2line(1).
# rows: -xinlines -xlines
# guests: none
# needs: addr2line g++ gcc nm objcopy readelf
. "${0%/*}/lib.sh"
compiler_here "inlined functions and lines" || done_testing

cd "$work" || exit 1
cat >deep.cc <<'END'
#include <sys/stat.h>
namespace shapes {
static inline __attribute__((always_inline)) int innermost(int n)
{
	umask(n); return n + 1;
}
template <typename T> static inline __attribute__((always_inline)) int middle(T n)
{
	return innermost(n) +
		1;
}
__attribute__((noipa)) int outer(int n)
{
	return middle(n) +
		middle(n + 1L);
}
}
int main(void)
{
	return shapes::outer(18) == 0;
}
END
g++ -O2 -g -no-pie -fno-omit-frame-pointer -Wl,--build-id=0x"$(od -An -tx1 -N20 /dev/urandom | tr -d ' \n')" -o deep deep.cc
cp deep whole

# said NUMBER: prints the frames of outer(), one function per line, the innermost first: 1: names, 2: lines.
said() {
	sed -n 's/^ *deep`\(.*\) (inlined) at /\1\t/p; s/^ *deep`\(.*outer.*\)+0x[0-9a-f]* at /\1\t/p' "$work/out" | cut -f "$1"
}

# expected: prints the lines, computed from the addresses and the complete file.
expected() {
	local base offset
	base=$(nm whole | awk '/outer/ { print "0x" $1 }')
	for offset in $(sed -n 's/^ *deep`.*outer.*+\(0x[0-9a-f]*\).*/\1/p' "$work/out"); do
		addr2line -ie whole "$(printf '0x%x' $((base + offset - 1)))" | sed 's/ (discriminator .*//'
	done
}
names="shapes::innermost
shapes::middle<int>
shapes::outer(int)
shapes::innermost
shapes::middle<long int>
shapes::outer(int)"

run() {
	dtrace_run -q "$@" -n 'syscall::umask:entry /pid == $target/ { ustack(4); }' -c ./deep
}

run -xinlines -xlines
is "$(said 1)" "$names" "two calls, of three functions each"
is "$(said 2)" "$(expected)" "their lines"

run -xinlines
is "$(grep -c ' at ' "$work/out")" 0 "inlined functions without lines"
is "$(grep -c '(inlined)$' "$work/out")" 4 "... which are there"
run -xlines
is "$(grep -c '(inlined)' "$work/out")" 0 "lines without inlined functions"
is "$(sed -n 's/.*outer.* at //p' "$work/out")" "$(printf '%s\n' "$work"/deep.cc:{14,15})" "... are lines of the function itself"
run
is "$(grep -Ec ' at |inlined' "$work/out")" 0 "who asks for neither gets neither"

run -xinlines -xlines -x oformat=json
is "$(grep -Ewo '"line": *5' "$work/out" | wc -l)" 2 "in documents: lines"
is "$(grep -Ewo '"inlined": *1' "$work/out" | wc -l)" 4 "... and inlined functions"

id=$(readelf -n deep | sed -n 's/.*Build ID: //p')
file=$work/debug/.build-id/${id:0:2}/${id:2}.debug
mkdir -p "$(dirname "$file")"
objcopy --only-keep-debug deep "$file"
strip deep
run -xinlines -xlines -xdebugdir="$work/debug"
is "$(said 1)" "$names" "names from a separate file of debug information"
is "$(said 2)" "$(expected)" "... and lines"
run -xinlines -xlines -xdebugdir="$work/nonesuch"
is "$(said 1)" "" "without it there are none"

done_testing
