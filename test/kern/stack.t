#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# stack.t: kernel stacks, stackdepth and caller show the traced kernel, not the code that runs the probe.
# rows: stack caller stackdepth -xnoresolve
# guests: 6.1
. "${0%/*}/lib.sh"

ours='bpf_prog|bpf_trace|bpf_trampoline|__traceiter_|perf_syscall_|__bpf_get|bpf_run_filter'

# stack_of NAME PROBE FRAME [ARGUMENT...]: traces one firing in $command, a program that sleeps, syncs and reads.
# caller must be the stack's frame of this number.
command="/bin/sh $work/target.sh"
stack_of() {
	local name=$1 probe=$2 frame=$3 depth caller
	shift 3
	dtrace_run -qn "$probe { printf(\"%d %a\n\", stackdepth, caller); stack(100); exit(0); }" "$@" \
		-c "$command"
	awk 'NF && !/^ |^at /' "$work/out" >"$work/head"
	awk '/^ / { print $1 }' "$work/out" >"$work/stack"
	read -r depth caller <"$work/head"
	ok "$name: there is a stack" test -s "$work/stack"
	is "$(grep -E "$ours" "$work/stack")" "" "$name: no frame is ours"
	is "$(wc -l <"$work/stack")" "$depth" "$name: stackdepth"
	is "$caller" "$(sed -n "${frame}p" "$work/stack")" "$name: caller"
}

cat >"$work/target.sh" <<'END'
sleep 0.2
sync
cat /proc/self/status >/dev/null
END

# Programs that get the tracepoint's arguments, and, if no other tracer exists, a call's own.
all() {
	stack_of "tracepoint$1" 'rawtp:::sched_switch /pid == $target/' 2
	has "$work/stack" '^vmlinux`__schedule\+' "tracepoint$1: where it is"
	stack_of "tracepoint in a page fault$1" 'rawtp:::mm_page_alloc /pid == $target/' 2
	stack_of "frequent call$1" 'syscall::close:entry /progenyof($target)/' 2
	stack_of "frequent call's return$1" 'syscall::close:return /progenyof($target)/' 2
	stack_of "seldom call$1" 'syscall::sync:entry /progenyof($target)/' 2
	stack_of "seldom call's return$1" 'syscall::sync:return /progenyof($target)/' 2
	stack_of "ERROR$1" 'rawtp:::sched_switch /pid == $target/ { trace(*(int *)0); } ERROR' 2
	has "$work/stack" '^vmlinux`__schedule\+' "ERROR$1: where the error was"
}

fast_here "traced by one" && all "" # the next checks need more
dtrace_start -qn 'rawtp:::sched_switch, rawtp:::sys_enter, rawtp:::sys_exit, rawtp:::mm_page_alloc
	/pid == 0 && n < 0/ { n++; } syscall::sync: /n < 0/ { n++; }'
all " traced by two"
end_pid "$dtrace_pid" INT

stack_of BEGIN BEGIN 2
# A program that keeps the kernel busy.  The sampled code can be a program of another tracer, so only the functions that
# take a sample are ours.  The stack begins at the sampled instruction.
command="dd if=/dev/zero of=/dev/null bs=1M count=100000" ours='bpf_overflow_handler|perf_event_overflow|perf_swevent' \
	stack_of profile 'profile-499 /arg0 && pid == $target/ { printf("at %a\n", arg0); } profile-499 /arg0 && pid == $target/' 2
is "$(sed -n 's/^at //p' "$work/out")" "$(head -n 1 "$work/stack")" "profile: the sampled instruction comes first"

dtrace_run -qn 'rawtp:::sched_switch /pid == $target/ { @[stack(1), func(caller)] = count(); }' \
	-c "/bin/sh $work/target.sh"
is "$(grep -Ec "$ours" "$work/out")" 0 "in a key"
has "$work/out" '^ +vmlinux`__schedule\+' "in a key: where it is"

# The process still lives when names are resolved.
printf 'sleep 0.2\numask 077\nsleep 2\n' >"$work/stays.sh"
dtrace_run -qn 'syscall::umask:entry /pid == $target/ { ustack(20); printf("%d\n", ustackdepth); exit(0); }' \
	-c "/bin/sh $work/stays.sh"
has "$work/out" 'libc.so.*`umask' "a process's stack at a seldom call"
is "$(grep -c '^  ' "$work/out")" "$(grep -Ex '[0-9]+' "$work/out")" "ustackdepth there"

# A shell runs no language whose frames are known.
dtrace_run -qn 'syscall::umask:entry /pid == $target/ { @u[ustack(20)] = count(); @j[jstack(20)] = count(); exit(0); }' \
	-n 'END { printa(@u); printf("--\n"); printa(@j); }' -c "/bin/sh $work/stays.sh"
is "$(sed -n '/^--$/,$p' "$work/out" | grep '^  *[^ ]')" "$(sed '/^--$/,$d' "$work/out" | grep '^  *[^ ]')" "jstack() of a shell"
has "$work/out" 'libc.so.*`umask' "jstack() of a shell: not empty"

# The function's own frame is not part of its caller's stack.
if may_probe_functions; then
	for name in entry return; do
		stack_of "function $name" "fbt::vfs_read:$name /progenyof(\$target)/" 1
		is "$(grep -c '`vfs_read+' "$work/stack")" 0 "function $name: its caller comes first"
	done
else
	skip "functions of the kernel" "the kernel lets nobody probe its functions"
fi

# With noresolve, an address of a process is an address in the mapping of its file.
dtrace_run -qx noresolve -n 'syscall::exit_group:entry /pid == $target/ { ustack(1); usym(0x10); }' -c /bin/true
has "$work/out" '^ *libc\.so\.6:0x[0-9a-f]*$' "noresolve: file and offset"
has "$work/out" '^  0x10 *$' "noresolve: what is in no file"

done_testing
