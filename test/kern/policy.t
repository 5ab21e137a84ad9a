#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# policy.t: buffer policy ring keeps the newest records of each CPU, at any rate.
# rows: -xbufpolicy
# guests: 6.12
. "${0%/*}/lib.sh"

calls=$top/build/test-calls
n=1000000
[ -z "${GUEST:-}" ] || n=100000

# On one CPU, records of 24 bytes: a header of 12, then arg1 at a multiple of 8.
dtrace_run -q -x bufpolicy=ring -x bufsize=24k -n \
	'syscall::lseek:entry /pid == $target/ { printf("%d\n", arg1); }' -c "taskset -c 0 $calls $n $n"
is "$(grep -c . "$work/out")" 1024 "as many records as the buffer holds"
is "$(grep . "$work/out" | head -n 1)" $((n - 1024)) "the oldest of them"
is "$(grep . "$work/out" | tail -n 1)" $((n - 1)) "the newest is the last"
is "$(cat "$work/err")" "" "nothing is reported"

# On all CPUs, from all threads, with faults and nested firings.
dtrace_run -q -x bufpolicy=ring -x bufsize=64k -n \
	'syscall::lseek:entry /pid == $target/ { this->t = timestamp; printf("%d %d\n", this->t, this->t); }
	profile-997 /pid == $target/ { this->t = timestamp; printf("%d %d\n", this->t, this->t); }' \
	-c "$calls $((n / 5)) 10 3"
is "$(awk 'NF && $1 != $2' "$work/out" | head -n 3)" "" "no record is mixed with another"
between "$(grep -c . "$work/out")" 1500 1000000 "records of all CPUs"

done_testing
