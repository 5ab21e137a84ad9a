#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# builtin.t: built-in variables against what is known of a process by other means.
# rows: arg7 arg8 arg9 caller curlwpsinfo curpsinfo curthread rand threadname ucaller uregs vtimestamp -F
. "${0%/*}/lib.sh"

# A process whose name, directory and arguments we know: it opens one file.
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
	printf("%d %d\n", uregs[R_RSI] == arg1, uregs[R_PC] != 0 && uregs[R_SP] != 0);
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
	is "$(sed -n 5p "$work/out")" "0 0 0 0" "arguments that a system call does not have"
	dtrace_run -qn 'BEGIN { i = 21; trace(uregs[i]); } ERROR { printf("%d", arg4); exit(0); }'
	is "$(cat "$work/out")" 3 "uregs[] of a register that does not exist is an illegal operation"
fi

dtrace_run -qn 'BEGIN { printf("%a %d", &`schedule, vmlinux`schedule == 0); sym((uintptr_t)&`schedule); exit(0); }'
is "$status" 1 "a function is no operand"
dtrace_run -qn 'BEGIN { printf("%a ", &`schedule); sym((uintptr_t)&`schedule); exit(0); }'
is "$(head -n 1 "$work/out" | tr -s " ")" "vmlinux\`schedule vmlinux\`schedule " "the address of a kernel function"

dtrace_run -qn 'BEGIN { self->v = vtimestamp; self->t = timestamp; }
	BEGIN { printf("%d %d", vtimestamp >= self->v, timestamp >= self->t); exit(0); }'
is "$(cat "$work/out")" "1 1" "vtimestamp and timestamp do not go back"

dtrace_run -qn 'BEGIN { a = rand(); b = rand(); c = rand(); printf("%d", a == b && b == c); exit(0); }'
is "$(cat "$work/out")" 0 "rand() differs"

dtrace_run -qn 'profile-97 /arg0 != 0/ { @[caller != 0, ucaller == 0] = count(); n++; }
	profile-97 /n >= 3/ { exit(0); } tick-10s { exit(1); }'
is $status 0 "caller and ucaller where the kernel was interrupted"

dtrace_run -F -n 'BEGIN { trace(1); exit(0); }'
is "$(head -n 1 "$work/out")" "CPU FUNCTION                                 " "-F: the heading"
has "$work/out" '^ +[0-9]+ +\| :BEGIN +1$' "-F: a record"

# More variables than there is room for.
{
	seq -f 'int overflow%.0f;' 33000
	echo 'BEGIN { overflow32999 = 1; }'
} >"$work/many.d"
# rows: D_ID_OFLOW
dtrace_run -e -x errtags -s "$work/many.d"
has "$work/err" '\[D_ID_OFLOW\]' "too many variables"

done_testing
