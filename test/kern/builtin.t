#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# builtin.t: built-in variables, compared with other sources of facts about a process.
# rows: arg7 arg8 arg9 ipl caller curlwpsinfo curpsinfo curthread rand regs threadname ucaller uregs vtimestamp -F
# rows: -xcpu chip cpu_info curcpu cwd fds lgrp root
# guests: 6.1
# needs: ping
. "${0%/*}/lib.sh"

# A process with known name, directory and arguments: it opens one file.
cat >"$work/child.sh" <<'END'
echo $$ $PPID >"$1.pids"
: <"$1.file"
END
: >"$work/c.file"
cat >"$work/child.d" <<'END'
#pragma D option quiet
syscall::openat:entry
/pid == $target && copyinstr(arg1) == $$1/
{
	printf("%d %d %d %d %d %d\n", pid, ppid, tid, uid, gid, pid == curpsinfo->pr_pid);
	printf("%s %s %s %s\n", execname, threadname, curpsinfo->pr_fname, curthread->comm);
	printf("%d %d\n", curlwpsinfo->pr_lwpid == tid, curpsinfo->pr_ppid == ppid);
	printf("%d %d\n", uregs[R_RSI] == arg1, uregs[R_PC] != 0 && uregs[R_SP] != 0 && uregs[R_NPC] == uregs[R_PC]);
	printf("%d %d %d\n", regs[R_RSI] == arg1, regs[R_DS], uregs[R_TRAPNO] < 64);
	printf("%d\n", *(uint64_t *)copyin(uregs[R_FS], 8) == uregs[R_FS]);
	printf("%d %d %d %d\n", arg6, arg7, arg8, arg9);
	exit(0);
}
END
if [ "$(uname -m)" = x86_64 ]; then
	dtrace_run -s "$work/child.d" -c "/bin/sh $work/child.sh $work/c" "$work/c.file"
	read -r child parent <"$work/c.pids"
	is "$(sed -n 1p "$work/out")" "$child $parent $child $(id -u) $(id -g) 1" "pid ppid tid uid gid"
	is "$(sed -n 2p "$work/out")" "sh sh sh sh" "execname threadname pr_fname comm"
	is "$(sed -n 3p "$work/out")" "1 1" "curlwpsinfo, curpsinfo"
	is "$(sed -n 4p "$work/out")" "1 1" "uregs[]"
	is "$(sed -n 5p "$work/out")" "1 0 1" "regs[], and registers that are not in pt_regs"
	is "$(sed -n 6p "$work/out")" 1 "uregs[R_FS] is where the thread's own memory begins, with its address"
	is "$(sed -n 7p "$work/out")" "0 0 0 0" "arguments that a system call does not have"
	dtrace_run -qn 'BEGIN { i = 26; trace(uregs[i]); } ERROR { printf("%d", arg4); exit(0); }'
	is "$(cat "$work/out")" 3 "uregs[] of a register that does not exist is an illegal operation"
fi

# arg0 is a number in every probe, although the kernel declares it as a pointer.
numbers='((arg0 * 3 - arg0) >> 1 == arg0 && (arg0 & ~arg0) == 0 && arg0 %% 7 == (int64_t)%s %% 7)'
for probe in "rawtp:::sched_process_exit args[0]" "cgroup:::create args[0]" "ip:::send arg0"; do
	# shellcheck disable=SC2059
	dtrace_run -qn "${probe% *}"' /pid == $target/ {
		printf("arg0 is %d\n", '"$(printf "$numbers" "${probe#* }")"'); @ = sum(arg0 & 0); @ = sum(arg0 - arg0);
		@s = stddev(arg0); @q = quantize(arg0); @l = llquantize(arg0, 10, 0, 6, 20); exit(0); }
		END { trunc(@); trunc(@s); trunc(@q); trunc(@l); }' -c 'ping -c 1 -q 127.0.0.1'
	has "$work/out" 'arg0 is 1$' "arithmetic on arg0 of ${probe% *}"
done

dtrace_run -qn 'BEGIN { printf("%a %d", &`schedule, vmlinux`schedule == 0); sym((uintptr_t)&`schedule); exit(0); }'
is "$status" 1 "a function is no operand"
dtrace_run -qn 'BEGIN { printf("%a ", &`schedule); sym((uintptr_t)&`schedule); exit(0); }'
is "$(head -n 1 "$work/out" | tr -s " ")" "vmlinux\`schedule vmlinux\`schedule " "the address of a kernel function"

# The open files, working directory and arguments of a process.
cat >"$work/files.d" <<'END'
#pragma D option quiet
syscall::write:entry
/pid == $target && arg0 == 1 && fds[1].fi_name == "out" && fds[1].fi_offset == 6/
{
	this->f = fds[7];
	printf("%s %s\n", this->f.fi_name, this->f.fi_dirname);
	printf("%s %s %s\n", fds[7].fi_pathname, fds[7].fi_fs, fds[7].fi_mount);
	printf("%d %d\n", this->f.fi_offset, (this->f.fi_oflags & O_ACCMODE) == O_WRONLY);
	printf("%s %s %s\n", fds[6].fi_name, fds[6].fi_fs, fds[(1 << 40) + 7].fi_pathname);
	printf("%s %s\n", cwd, root);
	printf("%s|%s|%d\n", execargs, curpsinfo->pr_psargs, curpsinfo->pr_argc);
	printf("%s\n", copyinstr(*(uint64_t *)copyin(curpsinfo->pr_argv + 8, 8)));
	printf("%s\n", copyinstr(*(uint64_t *)copyin(curpsinfo->pr_envp, 8)));
	printf("%d %d\n", curpsinfo->pr_dmodel == PR_MODEL_LP64,
	    walltimestamp / 1000000000 - curpsinfo->pr_start.tv_sec < 60);
	printf("%d %c %s %d\n", curlwpsinfo->pr_syscall, curlwpsinfo->pr_sname,
	    curlwpsinfo->pr_clname, curlwpsinfo->pr_bindpro == cpu);
	printf("%d %d %d\n", curcpu->cpu_id == cpu, curcpu->cpu_chip == chip, lgrp);
	exit(0);
}
END
mkdir "$work/dir"
cat >"$work/dir/write.sh" <<'END'
cd "${0%/*}"
exec 6< <(:) 7>out
echo 12345 >&7
echo 67890 >&7
END
if [ "$(uname -m)" = x86_64 ]; then
	dtrace_run -s "$work/files.d" \
		-c "/usr/bin/env -i FIRST=1 taskset -c 0 bash $work/dir/write.sh two"
	# The mount of the directory: the longest mount point that is a prefix of its path.
	where=$(awk -v dir="$work/" 'index(dir, $2 == "/" ? "/" : $2 "/") == 1 && length($2) >= n {
		n = length($2); found = $3 " " $2 } END { print found }' /proc/self/mounts)
	is "$(sed -n 1p "$work/out")" "out $work/dir" "fds[]: name and directory"
	is "$(sed -n 2p "$work/out")" "$work/dir/out $where" "fds[]: path, file system and mount"
	is "$(sed -n 3p "$work/out")" "6 1" "fds[]: offset and flags"
	is "$(sed -n 4p "$work/out")" "<unknown> pipefs <none>" "fds[]: a pipe, no file"
	is "$(sed -n 5p "$work/out")" "$work/dir /" "cwd and root"
	args="bash $work/dir/write.sh two"
	is "$(sed -n 6p "$work/out")" "$args|$args|3" "execargs, pr_psargs, pr_argc"
	is "$(sed -n 7p "$work/out")" "$work/dir/write.sh" "pr_argv"
	is "$(sed -n 8p "$work/out")" "FIRST=1" "pr_envp"
	is "$(sed -n 9p "$work/out")" "1 1" "pr_dmodel, pr_start"
	is "$(sed -n 10p "$work/out")" "1 R TS 1" "curlwpsinfo"
	topology=/sys/devices/system/cpu/cpu0
	node=$(basename "$(echo $topology/node[0-9]*)")
	node=${node//[!0-9]/}
	is "$(sed -n 11p "$work/out")" "1 1 ${node:-0}" "curcpu, chip, lgrp"
fi
# Hard interrupts, soft interrupts, and ordinary context.
dtrace_run -qn 'rawtp:::hrtimer_expire_entry { @["timer", ipl] = count(); } rawtp:::softirq_entry { @["soft", ipl] = count(); }
	syscall:::entry, sched:::off-cpu { @["call", ipl] = count(); } BEGIN { @["begin", ipl] = count(); }
	rawtp:::hrtimer_expire_entry { t++; } rawtp:::softirq_entry { s++; } syscall:::entry { c++; }
	tick-97 /t && s && c/ { exit(0); }'
is "$(awk 'NF == 3 { print $1, $2 }' "$work/out" | sort | tr '\n' ',')" "begin 0,call 0,soft 1,timer 1," \
	"ipl is 1 in interrupts, 0 elsewhere"
timeout 60 sh -c 'echo $$ >"$0"; while :; do :; done' "$work/spinner" &
spinner=$!
own_pids+=("$spinner")
wait_for 10 test -s "$work/spinner"
dtrace_run -qn 'profile-997 /pid == $1 && arg1/ { @[ipl] = count(); n++; } profile-997 /n >= 50/ { exit(0); } tick-20s { exit(1); }' "$(cat "$work/spinner")"
is "$(awk 'NF == 2 { print $1 }' "$work/out")" 0 "profile probes: ipl of the interrupted code"
kill "$spinner"

# Firings on other processors do not count.
dtrace_run -x cpu=0 -qn 'profile-997 { @[cpu] = count(); } syscall:::entry { @[cpu] = count(); }
	tick-300ms { exit(0); }'
is "$(awk 'NF == 2 && $2 > 0 { print $1 }' "$work/out")" 0 "-x cpu"

# Each processor has a chip with its number.  An idle processor may have no ticking clock.
for cpu in $(sed -n 's/^processor[^0-9]*//p' /proc/cpuinfo); do
	timeout 60 taskset -c "$cpu" sh -c 'while :; do :; done' &
	own_pids+=($!)
	busy+=($!)
done
dtrace_run -qn 'profile-97 { @["profile", cpu] = count(); } tick-97 { @["tick", cpu] = count(); }
	tick-97 /i++ == 50/ { exit(0); }'
is "$(grep -c '^ *profile ' "$work/out")" "$(grep -c '^processor' /proc/cpuinfo)" "profile fires on all CPUs"
kill "${busy[@]}"
is "$(grep -c '^ *tick ' "$work/out")" 1 "tick on one"
dtrace_run -qn 'profile-97 /cpu == 0/ { printf("%d", curcpu->cpu_chip); exit(0); }'
is "$(cat "$work/out")" "$(cat /sys/devices/system/cpu/cpu0/topology/physical_package_id)" "chip"

dtrace_run -qn 'BEGIN { self->v = vtimestamp; self->t = timestamp; }
	BEGIN { printf("%d %d", vtimestamp >= self->v, timestamp >= self->t); exit(0); }'
is "$(cat "$work/out")" "1 1" "vtimestamp and timestamp do not go back"

# A thread moves to another processor, whose scheduler clock has lost another time.  Only the clock of timestamp is
# corrected, by 500 millionths at most (NTP, adjtimex(2)).  A hypervisor can take a processor
# away just before the first reading, and the kernel subtracts this time only later, so one of five runs must be right.
for _ in 1 2 3 4 5; do
	dtrace_run -qn 'int moved, right, n; string all;
		syscall::sched_setaffinity:entry /pid == $target/ { self->v = vtimestamp; self->t = timestamp; self->c = cpu; }
		syscall::sched_setaffinity:return /self->t/ { this->v = (int64_t)(vtimestamp - self->v); moved += self->c != cpu;
			this->t = timestamp - self->t;
			right += this->v > 0 && this->v <= this->t + this->t / 1000; n++;
			all = strjoin(all, strjoin(" ", lltostr(this->v - this->t))); }
		END { printf("%d of %d,%d,%s", right, n, moved, all); }' \
		-c "taskset 1 taskset 2 taskset 1 taskset 2 taskset 1 taskset 2 true"
	! grep -q '^6 of 6' "$work/out" || break
done
is "$(cut -d , -f 1 "$work/out")" "6 of 6" "vtimestamp of a thread that changes its processor"
grep -q '^6 of 6' "$work/out" || note_file "vtimestamp less timestamp" "$work/out"
[ "$(nproc)" = 1 ] || between "$(cut -d , -f 2 "$work/out")" 4 6 "which it does"

# While a file exists, the clock that dtrace reads is an hour late; then it is set.
cat >"$work/late.c" <<'END'
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t id, struct timespec *t)
{
	int r = (int)syscall(SYS_clock_gettime, id, t);

	if (id == CLOCK_REALTIME && access(getenv("LATE"), F_OK) == 0)
		t->tv_sec -= 3600;
	return r;
}
END
if ! compiler_here "a clock that is set"; then
	:
elif ! gcc -shared -fPIC -o "$work/late.so" "$work/late.c" 2>"$work/gcc"; then
	skip "a clock that is set" "no shared library"
else
	touch "$work/late"
	cat >"$work/late.d" <<'END'
#pragma D option quiet
#pragma D option destructive
BEGIN { printf("late %d\n", $1 - walltimestamp / 1000000000 > 1800); system("rm -f %s", $$2); }
tick-20ms /$1 - walltimestamp / 1000000000 < 1800/ { printf("right %d\n", walltimestamp / 1000000000 - $1 < 1800); exit(0); }
tick-20s { exit(1); }
END
	LATE=$work/late LD_PRELOAD=$work/late.so dtrace_run -s "$work/late.d" "$(date +%s)" "$work/late"
	is "$status $(grep '^late\|^right' "$work/out" | tr '\n' ' ')" "0 late 1 right 1 " \
		"walltimestamp follows a clock that is set"
fi

dtrace_run -qn 'BEGIN { a = rand(); b = rand(); c = rand(); printf("%d", a == b && b == c); exit(0); }'
is "$(cat "$work/out")" 0 "rand() differs"

dtrace_run -qn 'profile-97 /arg0 != 0/ { @[caller != 0, ucaller == 0] = count(); n++; }
	profile-97 /n >= 3/ { exit(0); } tick-10s { exit(1); }'
is $status 0 "caller and ucaller where the kernel was interrupted"

dtrace_run -F -n 'BEGIN { trace(1); exit(0); }'
is "$(head -n 1 "$work/out")" "CPU FUNCTION                                 " "-F: the heading"
has "$work/out" '^ +[0-9]+ +\| :BEGIN +1$' "-F: a record"

# Variables of other kernels that scripts read.
# rows: machine_state
read -r load _ </proc/loadavg
dtrace_run -qn 'BEGIN { printf("%d %d %d %d %d %d\n", `hp_avenrun[0] * 100 / 65536, `freemem, `physmem, unix`maxmem,
	`time - walltimestamp / 1000000000, `hp_avenrun[1] < 0); } tick-1200ms { trace(`freemem); exit(0); }'
read -r ours free pages most seconds none <"$work/out"
kb=$(awk '/^KernelPageSize/ { print $2; exit }' /proc/self/smaps)
between $((10#${load/./} - ours)) -100 100 "\`hp_avenrun: the load average"
between "$free" $(($(awk '/^MemFree/ { print $2 }' /proc/meminfo) / kb / 2)) "$pages" "\`freemem: pages"
is "$pages $most $seconds $none" "$(($(awk '/^MemTotal/ { print $2 }' /proc/meminfo) / kb)) $pages 0 0" "\`physmem, \`maxmem, \`time"
dtrace_run -qn 'BEGIN { trace(`hp_avenrum); exit(0); }'
has "$work/err" 'failed to resolve `hp_avenrum' "a symbol without an inline"
dtrace_run -qn 'BEGIN { trace(`open_files); exit(0); }'
has "$work/err" 'failed to resolve `open_files' "inlines of the libraries' own take no symbol's place"

# More variables than fit.
{
	seq -f 'int overflow%.0f;' 33000
	echo 'BEGIN { overflow32999 = 1; }'
} >"$work/many.d"
# rows: D_ID_OFLOW
dtrace_run -e -x errtags -s "$work/many.d"
has "$work/err" '\[D_ID_OFLOW\]' "too many variables"

done_testing
