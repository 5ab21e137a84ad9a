#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# threads.t: processes of several threads: existing threads, later threads, and a process whose first thread has
# ended.  Processes are named by the id of the process or of a thread (pid.c).
#
# guests: 6.1
. "${0%/*}/lib.sh"

program=$top/build/test-pid
n=200

# A first thread that has ended is a zombie while the others live.
waits() {
	[ "$(ls "/proc/$1/task" | wc -l)" = 2 ] && { [ "$2" = stay ] || grep -q '^State:.*Z' "/proc/$1/status"; }
}

# traced stay|end WHOM: counts all calls of both threads, with the frames of each; the first by process or thread
# id.
traced() {
	rm -f "$work/go"
	mkfifo "$work/go"
	"$program" late $n "$1" <"$work/go" &
	target=$!
	own_pids+=("$target")
	exec 8>"$work/go"
	wait_for 20 waits $target "$1"
	thread=$(ls "/proc/$target/task" | grep -v "^$target$")
	dtrace_start -qn 'pid$target:test-pid:leaf:entry { @[pid == '$target', ustackdepth] = count(); @tids[tid] = count();
			@stacks[ustack(8)] = count(); }
		END { printa("calls %d %d %@d\n", @); printa("tid %d %@d\n", @tids); }' -p "${!2}"
	echo >&8
	wait $target
	dtrace_stop
	exec 8>&-
	# leaf, its caller, and two functions of the C library.
	is "$(grep '^calls' "$work/out")" "calls 1 4 $((2 * n))" "first thread: $1, by $2: all calls, with stacks to their end"
	is "$(grep -c "^tid [0-9]* $n$" "$work/out")" 2 "... of two threads"
	has "$work/out" "test-pid.thread" "... and names"
}
traced stay target
traced stay thread
traced end target
traced end thread

done_testing
