#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# calls.sh SEED COUNT: the name, the arguments, the result and errno of each system call of random programs, beside strace of the same
# run.  Prints what differs, and "N values compared, N of them not zero, N wrong".
. "${0%/*}/lib.sh"

seed=${1:-1} count=${2:-12}
cat >"$work/d" <<'END'
syscall:::entry /progenyof($target)/
{ printf("E %d %s %x %x %x %x %x %x\n", tid, probefunc, arg0, arg1, arg2, arg3, arg4, arg5); }
syscall:::return /progenyof($target)/
{ printf("R %d %s %x %d\n", tid, probefunc, arg0, errno); }
END
run_traced -qs "$work/d" -x strsize=64 -- strace -qq -f -X raw -e raw=all -o "$work/strace" \
	"$top/test/witness/load_calls.py" "$work" "$seed" "$count"
"${0%/*}/calls.py" "$work" >"$work/table"
report_table "$work/table"
