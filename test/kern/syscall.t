#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# syscall.t: system calls of one process, compared with the number of calls it makes.
#
# rows: DIALECT_OWN_CALLS
# guests: 6.1
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

# Names that other systems have for a call mean the Linux call that does the same.
dtrace_run -q -n 'syscall::exece:entry, syscall::rexit:entry, syscall::pread:return /pid == $target/ { @[probefunc] = count(); }' \
	-c "sh -c true"
is "$(value exit_group) $(value rexit)" "1 0" "names of other systems"
"$dtrace" -x dialect=oracle -ln syscall::rexit:entry >"$work/out" 2>"$work/err"
has "$work/err" 'No probe matches description' "... but not in the dialect oracle"
"$dtrace" -ln syscall::resolvepath:entry >"$work/out" 2>"$work/err"
has "$work/err" 'Linux has no such call; programs use readlink and getcwd' "... and what has no equal says so"
"$dtrace" -ln proc::proc_exit:exit,io::biodone:,sched:unix:resume:on-cpu,proc::proc_exit:create >"$work/out" 2>"$work/err"
is "$(awk 'NR > 1 { print $2, $NF }' "$work/out" | sort | paste -sd ,)" "io done,proc exit,sched on-cpu" \
	"functions of other kernels select stable probes"

# An invalid number is no call, in a program of all calls as in one of some.
for probes in syscall:: syscall::r\*; do
	dtrace_run -q -n "$probes:entry, $probes:return"' /pid == $target/ { @[probefunc] = count(); }
		syscall::exit_group:entry /pid == $target/ { @["end"] = count(); }' -c "$top/build/test-calls nosuch"
	is "$(value read) $(value end)" "0 1" "numbers of no call, among $probes"
done

# The kernel has internal error numbers for calls that it can restart; no program sees them.
dtrace_run -q -n 'syscall::read:return, syscall::pause:return, syscall::ppoll:return, syscall::nanosleep:return,
	syscall::clock_nanosleep:return, syscall::rt_sigsuspend:return
	/pid == $target && errno/ { @[errno == EINTR ? "EINTR" : "other", arg0] = count(); }' \
	-c "$top/build/test-calls interrupted"
is "$(grep -E 'EINTR|other' "$work/out" | tr -s ' ')|$(grep interrupted "$work/out")" " EINTR -1 4|interrupted 4" \
	"calls that signals interrupt fail with EINTR"

# Rare calls are traced by tracepoints of their own.
dtrace_run -q -n 'syscall::mkdir:entry /pid == $target/ { @[copyinstr(arg0)] = count(); }
	syscall::mkdir:return /pid == $target/ { printf("%d %d\n", arg0, errno); }' \
	-c "mkdir $work/new1 $work/new2 $work $work/new3"
is "$(value "$work/new1") $(value "$work/new3") $(value "$work")" "1 1 1" "mkdir: entries with their paths"
is "$(grep -c '^0 0$' "$work/out") $(grep -c '^-1 17$' "$work/out")" "3 1" "mkdir: results and errno"

# Calls that share a BPF program with a call of fewer arguments, and registers that a call does not use.
dtrace_run -q -n 'syscall::mkdir:entry, syscall::sync:entry /pid == $target/
	{ printf("%s %s %o %d\n", probefunc, copyinstr(arg0), arg1, arg5 == uregs[R_R9]); }' \
	-c "mkdir -m 701 $work/new4"
is $status 0 "arguments that a call does not have"
is "$(grep . "$work/out")" "mkdir $work/new4 701 1" "the arguments of calls that share a program"

# 32-bit calls have numbers and registers of their own.  Number 20 is getpid, which is writev for a 64-bit program;
# 199 is getuid32, a name that only they have.  6 is close, 19 lseek with an argument that is -1 in 32 bits.
cat >"$work/compat.c" <<'END'
static long call(long n, long a, long b, long c)
{
	long r;

	__asm__ volatile("int $0x80" : "=a"(r) : "a"(n), "b"(a), "c"(b), "d"(c) : "memory", "r8", "r9", "r10", "r11");
	return r;
}

int main(void)
{
	long r = 1;

	for (int i = 0; i < 50; i++)
		r = call(20, 0, 0, 0);
	for (int i = 0; i < 5; i++)
		call(199, 0, 0, 0);
	call(6, 99, 0, 0);
	call(19, 98, -1, 2);
	return r <= 0;
}
END
cat >"$work/compat.d" <<'END'
#pragma D option quiet
syscall::writev:entry, syscall::writev:return /pid == $target/ { @["writev"] = count(); }
syscall::getpid:entry, syscall::getuid*:entry /pid == $target/ { @[probefunc] = count(); }
syscall::getpid:return /pid == $target && arg0 == pid/ { @["result"] = count(); }
syscall::close:entry /pid == $target && arg0 == 99/ { self->t = 1; }
syscall::close:return /self->t/ { printf("close %d %d\n", arg0, errno); }
syscall::lseek:entry /pid == $target && arg0 == 98/ { printf("lseek %d %x %d\n", args[1], arg1, arg2); }
END
if ! compiler_here "32-bit calls"; then
	:
elif ! gcc -O1 -o "$work/compat" "$work/compat.c" 2>"$work/gcc" || ! "$work/compat"; then
	skip "32-bit calls" "the kernel has no 32-bit system calls"
else
	dtrace_run -s "$work/compat.d" -c "$work/compat"
	is "$(value getpid) $(value result) $(value getuid32) $(value writev)" "50 50 5 0" \
		"32-bit calls have their own names, not the names of 64-bit calls with these numbers"
	is "$(grep '^close\|^lseek' "$work/out")" "close -1 9
lseek -1 ffffffff 2" "arguments and results of 32-bit calls"
	dtrace_run -qn 'syscall:::entry /pid == $target/ { @["named"] = count(); } rawtp:::sys_enter /pid == $target/ { @["all"] = count(); }' \
		-c "$work/compat"
	is "$(value named)" "$(value all)" "every call is seen"
fi

if type -P unshare >/dev/null; then
	unshare -m bash -c 'umount -l /sys/kernel/tracing 2>/dev/null; umount -l /sys/kernel/debug 2>/dev/null
		ls /sys/kernel/tracing; exec "$@"' - "$dtrace" -lvn syscall::openat:entry >"$work/out" 2>"$work/err"
	has "$work/out" 'args\[1\]: userland const char \*' "arguments have their types where tracefs is not mounted"
else
	skip "arguments where tracefs is not mounted" "no unshare"
fi

# hint DESCRIPTION: prints the messages of dtrace before it traces.
hint() {
	dtrace_run -qn "$1 /pid == 0/ { trace(1); } tick-10ms { exit(0); }"
	cat "$work/err"
}
if "$dtrace" -ln syscall::fork:entry >/dev/null 2>&1; then
	is "$(hint 'syscall::*fork*:entry')" "dtrace: syscall::fork: programs fork with clone" "calls that libc does not make"
	is "$(hint 'syscall::creat:entry')" "dtrace: syscall::creat: programs create files with openat" "creat()"
	is "$(hint 'syscall::open*:entry, syscall::creat*:entry, syscall::fork:entry, syscall::clone:entry')" "" \
		"no hint if the other call is enabled"
else
	skip "calls that libc does not make" "this processor has no such calls"
fi
dtrace_run -qn 'syscall::open*:entry /pid == $target/ { trace(copyinstr(arg0)); }' -c 'cat /etc/hosts /etc/hosts'
is "$(grep -c 'arg0 of openat is a descriptor; the path is arg1' "$work/err")" 1 "the hint about the path of openat comes once"
dtrace_run -qn 'syscall::open*:entry /pid == $target/ { self->path = arg0; }
	syscall::open*:return /self->path/ { trace(copyinstr(self->path)); }' -c 'cat /etc/hosts'
is "$(grep -c 'arg0 of openat is a descriptor; the path is arg1' "$work/err")" 1 "also if it is read at the return"

# Integers of argN have the size and sign of the parameter: AT_FDCWD is -100, flags are unsigned, pointers are whole.
numbers() {
	dtrace_run -qn "$1"' /pid == $target/ { @[arg0 == -100 || arg0 >= 0, arg0 > 0xffffff00] = count(); @names[copyinstr(arg1)] = count(); }
		END { printa("at %d %d %@d\n", @); }' -c 'cat /etc/hosts'
	is "$(sed -n 's/^at \(. .\) .*/\1/p' "$work/out")" "1 0" "$1: arg0 of openat is AT_FDCWD"
	has "$work/out" '/etc/hosts' "$1: pointers"
}
numbers syscall::openat:entry
numbers 'syscall::openat:entry, syscall::faccessat*:entry, syscall::newfstatat:entry'
dtrace_run -qn 'syscall:::entry /pid == $target && probefunc == "openat"/ { @[arg0, arg2 < 0x100000000] = count(); }' -c 'cat /etc/hosts'
is "$(awk 'NF == 3 { print $1, $2 }' "$work/out")" "-100 1" "arg0 of openat among all calls"
dtrace_run -x evaltime=exec -qn 'syscall:::entry /pid == $target && (probefunc == "lseek" || probefunc == "mmap")/ { @[arg0 >= -1, probefunc == "mmap" && arg4 < -1] = count(); }' \
	-c 'cat /etc/hosts'
is "$(awk 'NF == 3 { print $1, $2 }' "$work/out" | sort -u)" "1 0" "other integers among all calls"

done_testing
