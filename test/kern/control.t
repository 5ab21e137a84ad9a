#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# control.t: if a call of ptrace(2) fails for the process of -c, dtrace says so, ends with status 1, and leaves no
# process that is stopped or has a breakpoint.
#
# guests: none
# needs: strace
. "${0%/*}/lib.sh"

cp "$(type -P echo)" "$work/command"
strace -e trace=ptrace -o "$work/calls" "$dtrace" -qn 'BEGIN { }' -c "$work/command hello" >"$work/out" 2>&1
calls=$(grep -c '^ptrace' "$work/calls")
ok "the command is started under ptrace" test "$calls" -ge 5
# The first calls look for a place to stop.  Without one, the command stops at its first instruction.
for i in $(seq "$calls"); do
	timeout -s KILL 10 strace -qq -o "$work/calls" -e trace=ptrace -e inject=ptrace:error=EIO:when=$i \
		"$dtrace" -qn 'syscall::write:entry /pid == $target/ { printf("traced\n"); }' -c "$work/command hello" >"$work/out" 2>"$work/err"
	status=$?
	if [ $status = 0 ]; then
		has "$work/out" traced "call $i: the command is traced"
	else
		is $status 1 "call $i: status 1"
		has "$work/err" "could not control process [0-9]+: Input/output error" "call $i: the message"
	fi
	ok "call $i: no process is left" test -z "$(pgrep -f "^$work/command")"
done

done_testing
