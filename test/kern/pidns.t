#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# pidns.t: processes with different pids inside and outside of a PID namespace, traced from both sides.
# rows: host_pidns
#
# guests: 6.1
. "${0%/*}/lib.sh"

program=$top/build/test-pid
n=20

# inside OPTION...: runs dtrace in a PID namespace with its own /proc.  Its process 1 is a shell, so that pids differ
# more.
inside() {
	timeout -k 5 $((SLOWER * 60)) unshare -pf --mount-proc --kill-child sh -c '"$@"; exit $?' sh "$dtrace" "$@" \
		</dev/null >"$work/out" 2>"$work/err"
	status=$?
}

# ---- from inside

inside -qn 'syscall::getppid:entry, syscall::exit_group:entry /pid == $target/ { @ = count(); }
	pid$target:a.out:several:entry { @leaf = count(); @same[pid == $target] = count(); }
	END { printa("exits %@d\n", @); printa("leaf %@d\n", @leaf); printa("same %d %@d\n", @same); }' -c "$program calls $n"
has "$work/out" '^exits 1$' "inside: pid == \$target"
has "$work/out" "^leaf $n\$" "inside: pid\$target"
has "$work/out" "^same 1 $n\$" "inside: pid is \$target there"
is "$(cat "$work/err")" "" "inside: without a message"

inside -qn 'pid$target:a.out:several:entry /progenyof($target) && progenyof($pid) && ppid == $pid/ { @ = count(); }
	END { printa("leaf %@d\n", @); }' -c "$program calls $n"
has "$work/out" "^leaf $n\$" "inside: progenyof(\$target) and \$pid"

inside -qn 'pid$target:a.out:leaf:entry { @ = count(); printf("%d %d\n", pid == $target, pid > 10); ustack(); usym(uregs[R_PC]); exit(0); }' \
	-c "$program calls 1"
has "$work/out" '^ +test-pid`leaf' "inside: names in a stack"
has "$work/out" '^ +test-pid`main' "inside: a stack is complete"
has "$work/out" '^  test-pid`leaf' "inside: usym()"

# By the pid that a user sees there.
cat >"$work/attach.sh" <<'END'
"$1" loop &
pid=$!
"$2" -qn 'pid'$pid':a.out:leaf:entry { @ = count(); printf("%d\n", pid == $target); ustack(1); exit(0); }' -p $pid
"$2" -qn 'syscall::clock_nanosleep:entry /progenyof('$pid') && !progenyof($pid)/ { printf("progeny\n"); exit(0); }
	tick-5s { exit(0); }' 
kill $pid
END
timeout 60 unshare -pf --mount-proc --kill-child sh "$work/attach.sh" "$program" "$dtrace" >"$work/out" 2>"$work/err"
has "$work/out" '^1$' "inside: -p"
has "$work/out" '^ +test-pid`leaf' "inside: -p: names"
has "$work/out" '^progeny$' "inside: progenyof() of a number"

inside -x follow -qn 'pid$target:a.out:leaf:entry { @[pid == $target] = count(); } END { printa("leaf %d %@d\n", @); }' \
	-c "$program fork $n"
is "$(grep -c '^leaf' "$work/out")" 2 "inside: -x follow: parent and children"
inside -Zqn 'testlib$target:::loaded { @ = count(); ustack(1); } END { printa("loaded %@d\n", @); }' \
	-c "$top/build/test-usdt load $top/build/test-usdt-lib.so 10"
has "$work/out" '^loaded 10$' "inside: a library that is loaded later"
has "$work/out" '^ +test-usdt-lib.so`fire' "inside: names in a library that is loaded later"

# A nested namespace.
inside -qn 'syscall::clock_nanosleep:entry /progenyof($target) && execname == "test-pid"/ { ustack(1); exit(0); }' \
	-c "unshare -pf --mount-proc --kill-child $program loop"
has "$work/out" '^ +libc.so.6`' "inside: names of processes in a namespace there"

# ---- unknown processes

timeout 60 unshare -pf --kill-child "$dtrace" -qn 'BEGIN { exit(0); }' >"$work/out" 2>"$work/err"
has "$work/err" '/proc does not show this PID namespace.*mount -t proc' "inside, with the /proc of another namespace: a message"
sh -c 'while :; do sleep 0.02; done' &
own_pids+=($!)
inside -qn 'syscall::wait4:entry /execname == "sh" && !progenyof($pid)/ { @[ustack(1)] = count(); } tick-1s { exit(0); }'
has "$work/err" 'addresses of processes outside this PID namespace have no names' "inside: a process outside: a message"

# ---- from outside

unshare -pf --mount-proc --kill-child sh -c '"$1" loop; :' sh "$program" &
own_pids+=($!)
outer=$!
# The child of the shell, which is the child of unshare.
child_of() { awk -v parent="$1" '$4 == parent { print $1 }' /proc/[0-9]*/stat 2>/dev/null; }
named() {
	pid=$(child_of "$(child_of "$outer")")
	[ -n "$pid" ] && [ "$(readlink "/proc/$pid/exe")" = "$program" ]
}
wait_for 10 named
dtrace_run -qn 'pid$target:a.out:leaf:entry { printf("%d\n", pid == $target); ustack(1); exit(0); }' -p "$pid"
has "$work/out" '^1$' "outside: -p"
has "$work/out" '^ +test-pid`leaf' "outside: -p: names"
dtrace_run -qn 'pid*:test-pid:leaf:entry /pid == '"$pid"'/ { printf("%d\n", pid); ustack(1); exit(0); }'
has "$work/out" "^$pid\$" "outside: pid*"
has "$work/out" '^ +test-pid`leaf' "outside: pid*: names"

done_testing
