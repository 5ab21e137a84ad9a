#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# syscall.t: system calls of one process, against the number of calls it makes.
. "${0%/*}/lib.sh"

cgroup_up
dd if=/dev/zero of="$work/dd" bs=1 count=1 2>/dev/null

dtrace_run -q -n 'syscall::write:entry /pid == $target && arg2 == 7/ { @["writes"] = count(); @b["bytes"] = sum(arg2); }
	syscall::write:return /pid == $target && arg0 == 7/ { @["returns"] = count(); }' \
	-c "dd if=/dev/zero of=$work/dd bs=7 count=500"
is $status 0 "dtrace ends with status 0"
is "$(value writes)" 500 "write entries are counted"
is "$(value returns)" 500 "write returns are counted"
is "$(value bytes)" 3500 "bytes asked for are summed"

dtrace_run -q -n 'syscall:::entry /pid == $target/ { @[probefunc] = count(); }' \
	-c "dd if=/dev/zero of=$work/dd bs=7 count=300"
between "$(value write)" 300 310 "every system call by name: write"
between "$(value read)" 300 330 "every system call by name: read"

dtrace_run -q -n 'syscall::openat:entry /pid == $target && copyinstr(arg1) == "/nonesuch/file"/ { self->t = 1; }
	syscall::openat:return /self->t/ { printf("%s errno %d\n", execname, errno); self->t = 0; }' \
	-c "cat /nonesuch/file"
has "$work/out" '^cat errno 2$' "copyinstr, a thread-local variable and errno"

done_testing
