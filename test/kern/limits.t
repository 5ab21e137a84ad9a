#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# limits.t: long programs: a program that fits the kernel runs, and a longer program is refused with a short message.
#
# guests: 6.1
. "${0%/*}/lib.sh"

# list FORMAT N SEPARATOR: prints FORMAT for each number below N.
list()
{
	awk -v f="$1" -v n="$2" -v sep="$3" 'BEGIN { for (i = 0; i < n; i++) printf f "%s", i, i < n - 1 ? sep : "" }'
}

runs()
{
	dtrace_run -q -s "$work/p.d"
	is $status 0 "$1"
}

refused()
{
	dtrace_run -q -s "$work/p.d"
	is $status 1 "$1 are refused"
	has "$work/err" "$2" "and the error says why"
}

echo "int a[int]; BEGIN { x = $(list 'a[%d]' 800 +); exit(0); }" >"$work/p.d"
runs "a sum of 800 elements"
echo "BEGIN { $(list 's%d = "x";' 129 ' ') exit(0); }" >"$work/p.d"
runs "129 strings"

if fast_here "programs as long as they can be"; then
	echo "int n; $(yes syscall::umask:entry | head -10000 | paste -sd,) { n++; } BEGIN { exit(0); }" >"$work/p.d"
	runs "10,000 descriptions"
	echo "int a[int]; BEGIN { x = $(list 'a[%d]' 4000 +); exit(0); }" >"$work/p.d"
	# Tables that grow with the square of the length would need 2 GB.
	[ -n "${DTRACE:-}" ] || ulimit -S -v 1000000 # a build with sanitizers maps more
	runs "a sum of 4,000 elements in 1 GB"
	ulimit -S -v unlimited
	n=8200
	[ -z "${GUEST:-}" ] || n=2050
	echo "BEGIN { $(list 'self->v%d = 1;' $n ' ') exit(0); }" >"$work/p.d"
	runs "$n thread-locals"
	echo "BEGIN { $(list 'v%d = 1;' 4200 ' ') exit(0); }" >"$work/p.d"
	runs "4,200 integers"
	echo "BEGIN { x = $(list 'pid != %d' 4000 ' && '); exit(0); }" >"$work/p.d"
	runs "4,000 conditions"
	echo "BEGIN { x = $(list 'pid + %d' 58000 ' + '); exit(0); }" >"$work/p.d"
	refused "58,000 terms" 'more than 4096 levels'
	{
		echo 'inline int f0 = pid;'
		awk 'BEGIN { for (i = 1; i < 20000; i++) printf "inline int f%d = f%d + 1;\n", i, i - 1 }'
		echo 'BEGIN { x = f19999; exit(0); }'
	} >"$work/p.d"
	refused "20,000 inlines, each of the one before," 'levels after expanding its names'
	echo "$(yes BEGIN | head -10000 | paste -sd,) { x++; } BEGIN { exit(x != 10000); }" >"$work/p.d"
	runs "10,000 descriptions on one clause"

	awk 'BEGIN { split("read write openat close", name); for (i = 0; i < 10000; i++)
		printf "syscall::%s:entry /arg0 == %d/ { @[%d] = count(); }\n", name[i % 4 + 1], i, i }' >"$work/p.d"
	[ -n "${DTRACE:-}" ] || ulimit -S -v 1000000
	refused "10,000 clauses on four calls, in 1 GB," 'DIF program exceeds maximum program size'
	ulimit -S -v unlimited
	echo "int a[int]; BEGIN { $(for v in x y z; do echo "$v = $(list 'a[%d]' 2800 +);"; done) exit(0); }" >"$work/p.d"
	refused "8,400 elements" 'DIF program exceeds maximum program size'
fi

done_testing
