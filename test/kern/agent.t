#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# rows: vmname vmid immstack -E --agent -xexecute -xtarget -xtargetmatch
#
# agent.t: targets that are this machine itself, through agents that are its children or listen at a socket.  It
# tests everything that is the same for all targets.
#
# guests: none
# needs: python3
. "${0%/*}/lib.sh"

# The name distinguishes the agents of this test from others.
ln -s "$(realpath "$dtrace")" "$work/agentd"
agent="exec:exec $work/agentd --agent"
caller=calls$$ # the same test can run in parallel
calls=$work/$caller
cp "$top/build/test-calls" "$calls"

# trace [OPTION...]: traces the targets a and b, quietly.
trace() {
	timeout 60 "$dtrace" -E -x "target=a=$agent" -x "target=b=$agent" -q "$@"
}

# start_run STATUS PROGRAM: runs in the background, until a program with a name of its own starts.
stopper=stop$$
cp "$calls" "$work/$stopper"
start_run() {
	: >"$work/out"
	trace -n "BEGIN { printf(\"ready\\n\"); }
		host:syscall::lseek:entry /execname == \"$stopper\"/ { exit($1); } $2" >"$work/out" 2>"$work/err" &
	pid=$!
}

# during COMMAND...: runs the command while the run traces, then ends the run; its status is $status.
during() {
	wait_for 20 grep -q ready "$work/out" && "$@"
	"$work/$stopper" 1 1
	wait $pid
	status=$?
}

timeout 60 "$dtrace" -E -x "target=a=$agent" >"$work/out" 2>&1
has "$work/out" '^a +[^ ]+ +[^ ]+ +Linux-[^ ]+ +\+-[0-9]+ us +connected$' "-E alone lists a target with its clock's error"
has "$work/out" '^host +[^ ]+ +[^ ]+ +Linux-[^ ]+ +- +connected$' "and the host"

# The agent gets a hello every 500 ms.
timeout 60 "$dtrace" -E -x "target=a=exec:sleep 1.2; exec $work/agentd --agent" >"$work/out" 2>&1
has "$work/out" '^a .*connected$' "an agent that starts slowly"

# Counts of an aggregation, of each machine and of all machines.
start_run 7 '
	host:syscall::lseek:entry, a:syscall::lseek:entry, b:syscall::lseek:entry
	/execname == "'"$caller"'" && (int)arg0 == -1/
	{ @each[vmname, vmid] = count(); @all[execname, arg1] = count(); @one = count(); @last = max(arg1); }
	END { printa("%s %d %@d\n", @each); printa("%s %d %@d\n", @all); printa("one %@d\n", @one); printa("last %@d\n", @last); }'
during "$calls" 3000 3
is $status 7 "exit() of the host ends the run with its status"
is "$(grep -c . <"$work/out")" 9 "printa() prints one aggregation of all machines"
for name in "a 1" "b 2" "host 0"; do
	has "$work/out" "^$name 3000$" "vmname, vmid of one: $name"
done
for key in 0 1 2; do
	has "$work/out" "^$caller $key 3000$" "equal keys of three machines are one: $key"
done
has "$work/out" "^one 9000$" "an aggregation without keys is the sum"
has "$work/out" "^last 2$" "the maximum of all machines"

# The order of records, each made by all three.
start_run 0 '
	host:syscall::lseek:entry, a:syscall::lseek:entry, b:syscall::lseek:entry
	/execname == "'"$caller"'" && (int)arg0 == -1/ { printf("%d %d\n", arg1, timestamp); }'
during "$calls" 200 200
grep -v ready "$work/out" | grep . >"$work/lines"
is "$(wc -l <"$work/lines")" 600 "no record of three machines is lost"
is "$(awk '$2 + 1000000 < last { n++ } $2 > last { last = $2 } END { print n + 0 }' "$work/lines")" 0 \
	"records are in the order of time, within a millisecond, the clocks of targets being ours"
is "$(cut -d' ' -f1 "$work/lines" | sort -n | uniq -c | awk '$1 != 3' | wc -l)" 0 "each has come from each"

# immstack() of one kernel has the same value, whoever takes it.
start_run 0 '
	host:syscall::lseek:entry, a:syscall::lseek:entry, b:syscall::lseek:entry
	/execname == "'"$caller"'" && (int)arg0 == -1/ { @[immstack(2)] = count(); @s[vmname, stack(2)] = count(); }
	END { trunc(@, 1); printa("%k%@d imm\n", @); printa("%s%k%@d st\n", @s); }'
during "$calls" 100 1
has "$work/out" '^ *300 imm|^300 imm' "immstack() merges the stacks of machines"
has "$work/out" '^ *[A-Za-z_][A-Za-z0-9_.]*\+0x[0-9a-f]+$' "its frames are functions and offsets"
is "$(grep -c '100 st$' "$work/out")" 3 "stack() does not"
has "$work/out" '^ *(vmlinux|kernel)?`?[A-Za-z_][A-Za-z0-9_.]*\+0x[0-9a-f]+$' "and has names, too"

# An interrupted run prints the records so far, and records of END.  (timeout passes a signal on to its child and to
# its group; two signals make dtrace give up the rest.)
: >"$work/out"
timeout --foreground 60 "$dtrace" -E -x "target=a=$agent" -qn '
	a:syscall::lseek:entry /execname == "'"$caller"'" && (int)arg0 == -1/ { printf("call\n"); }
	a:dtrace:::END { printf("end %s\n", vmname); } BEGIN { printf("ready\n"); }' >"$work/out" 2>"$work/err" &
pid=$!
wait_for 20 grep -q ready "$work/out"
"$calls" 500 1
kill -TERM $pid
wait $pid
is "$(grep -c '^call$' "$work/out")" 500 "an interrupt loses no record"
is "$(tail -n 2 "$work/out" | head -n 1)" "end a" "nor what END of a target records, which is last"

# Variables that three machines share behave like variables of one: every firing counts, in its order.
cat >"$work/shared.d" <<'EOF'
int64_t n, late, wrong; int64_t by[string]; uint64_t last[string, int]; string who;
BEGIN { n = 1; printf("ready\n"); }
host:syscall::lseek:entry, a:syscall::lseek:entry, b:syscall::lseek:entry
/execname == "CALLS" && (int)arg0 == -1/
{
	self->at = timestamp;
	this->now = self->at;
	late += this->now < last[vmname, 0];
	last[vmname, 0] = this->now;
	wrong += arg1 > 2 || who == strjoin(vmname, "!");
	who = strjoin(vmname, "!");
	by[vmname] += ++n > 0;
	@[vmname, arg1 + 0 * n] = count();
	who = n % 3 ? who : "";
	self->at = 0;
}
END
{
	printf("n %d by %d %d %d late %d\n", n, by["host"], by["a"], by["b"], late);
	printa("%s %d %@d\n", @);
}
EOF
sed -i "s/CALLS/$caller/" "$work/shared.d"
start_shared() {
	: >"$work/out"
	# Buffers are large enough for all records, because drops of a slow reader would be reported.
	trace -b 32m "$@" -s "$work/shared.d" -n "host:syscall::lseek:entry /execname == \"$stopper\"/ { exit(3); }" \
		>"$work/out" 2>"$work/err" &
	pid=$!
}
start_shared
during "$calls" 6000 3
is $status 3 "a program with variables that machines share"
has "$work/out" '^n 18001 by 6000 6000 6000 late 0$' "they are exact after 6,000 firings on each"
is "$(grep -c ' 2000$' "$work/out")" 9 "and so are aggregations of clauses at the host"
is "$(grep -vcE 'records out of order|times can be wrong' "$work/err")" 0 "without a word, but that a loaded machine is late"

# Records that arrive after the record of exit(), but are older, still count.  The agent of b stands still for longer than others
# wait for it.
start_shared
late() {
	local agent
	agent=$(pgrep -f "^$work/agentd --agent" | sort -n | tail -n 1)
	kill -STOP "$agent"
	"$calls" 600 3
	(sleep 3; kill -CONT "$agent") &
}
during late
is $status 3 "the agent of a target stands still"
has "$work/out" '^n 1801 by 600 600 600 late [0-9]+$' "its records before exit() count"
has "$work/err" '^dtrace: target b: [0-9]+ records out of order' "and are reported, as they come too late"

# Speculations are shared as well: begun on one machine, filled on another, and ended on a third.
cp "$calls" "$work/begin$$"
cp "$calls" "$work/end$$"
start_run 0 'int spec;
	host:syscall::lseek:entry /execname == "'"begin$$"'"/ { spec = speculation(); }
	a:syscall::lseek:entry /execname == "'"$caller"'" && (int)arg0 == -1/ { speculate(spec); printf("%s %d\n", vmname, arg1); }
	b:syscall::lseek:entry /execname == "'"end$$"'" && ++n % 2/ { commit(spec); }
	b:syscall::lseek:entry /execname == "'"end$$"'" && n % 2 == 0/ { discard(spec); }'
# The calls are apart by more than the error of a clock.
speculate() {
	local i
	for ((i = 0; i < 10; i++)); do
		"$work/begin$$" 1 1
		sleep 0.02
		"$calls" 30 3
		sleep 0.02
		"$work/end$$" 1 1
		sleep 0.02
	done
}
during speculate
is "$(grep -v ready "$work/out" | grep . | sort | uniq -c | sed 's/^ *//' | paste -sd,)" "50 a 0,50 a 1,50 a 2" \
	"speculations of three machines: those that are committed"

# The same program, run where it fires and at the host.
cat >"$work/either.d" <<'EOF'
a:syscall::lseek:entry /execname == "CALLS" && (int)arg0 == -1/ { self->n = arg1; self->t = timestamp; }
a:syscall::lseek:return /self->t/
{
	printf("%d %s %s:%s %d", self->n, execname, probefunc, probename, errno);
	@[self->n] = count();
	@q = quantize(self->n);
	stack(3);
	self->t = 0;
}
END { printa(@); }
EOF
sed -i "s/CALLS/$caller/" "$work/either.d"
for where in target host; do
	: >"$work/out"
	trace -x "execute=$where" -s "$work/either.d" -n "BEGIN { printf(\"ready\n\"); }
		host:syscall::lseek:entry /execname == \"$stopper\"/ { exit(0); }" >"$work/out" 2>"$work/err" &
	pid=$!
	during "$calls" 600 3
	mv "$work/out" "$work/out.$where"
done
is "$(grep -c 'lseek:return' "$work/out.target")" 600 "a program where it fires"
ok "prints the same at the host" cmp -s "$work/out.target" "$work/out.host"

# Stacks of a target's processes are walked on the target, without frame pointers, and have names.
ln -s "$(realpath /usr/bin/python3)" "$work/long$$"
start_run 0 'a:syscall::lseek:entry /execname == "'"long$$"'" && (int)arg0 == -1/ { @s[ustack(3)] = count(); @u[usym(uregs[R_PC])] = count(); }
	b:syscall::lseek:entry /execname == "'"long$$"'" && (int)arg0 == -1/ { last = ustack(3); n++; }
	b:dtrace:::END { trace(last); } host:dtrace:::END { trace(n); }'
during "$work/long$$" -c '
import os, time
for i in range(300):
    try:
        os.lseek(-1, 0, 0)
    except OSError:
        pass
    time.sleep(0.005)
time.sleep(1)'
has "$work/out" '^ *libc\.so\.6`[a-z0-9_]*lseek[a-z0-9_]* +300$' "an address of a process of a target has a name"
named=$(grep -cE '^ *[a-z0-9.]*python3[^ ]*`[A-Za-z_0-9]+\+0x[0-9a-f]+$' "$work/out")
ok "so have the frames of its stack, also of one that a clause at the host has kept" test "$named" -ge 2

# For faults at the firing and at the host, ERROR gets the common arguments, and the machine and thread of each fault.
# Clauses of a firing share their variables.
start_run 0 '
	inline int calls = execname == "'"$caller"'" && (int)arg0 == -1;
	int n, zero, faults, sums; int by[string];
	a:syscall::lseek:entry, b:syscall::lseek:entry /calls/ { n++; this->v = n; trace(1 / zero); }
	a:syscall::lseek:entry, b:syscall::lseek:entry /calls/ { sums += this->v; }
	b:syscall::lseek:entry /calls/ { trace(*(int *)8); }
	a:dtrace:::ERROR, b:dtrace:::ERROR /execname == "'"$caller"'"/ { faults++; by[vmname]++; last[vmname] = arg4; }
	END { printf("n %d sums %d faults %d a %d b %d last %d %d\n", n, sums, faults, by["a"], by["b"],
		last["a"], last["b"]); }'
during "$calls" 50 1
has "$work/out" '^n 100 sums 5050 faults 150 a 50 b 100 last 4 1$' "ERROR for faults in kernels and at the host"
is "$(grep -c 'b: error on enabled probe .*: divide-by-zero in action #3' "$work/err")" 50 "... and each error is reported"
is "$(grep -c 'b: error on enabled probe .*: invalid address (0x8) in action #1' "$work/err")" 50 "all of them"

# Errors of descriptions and state.
says() {
	local text=$1
	shift
	trace "$@" >"$work/out" 2>&1
	is $? 1 "refused: $text"
	has "$work/out" "$text" "and said: $text"
}
says 'no such target: c' -n 'c:syscall::lseek:entry'
says 'n is shared by machines: this clause cannot run on host' -x execute=target \
	-n 'BEGIN { n = 1; } a:syscall::lseek:entry { n++; }'
says 'stop\(\) is not possible: the clause runs at the host' -wn 'int n; a:syscall::lseek:entry { n++; } a:dtrace:::ERROR { stop(); } b:dtrace:::BEGIN { n++; }'
says 'stop\(\) is not possible: the clause runs at the host' -wn 'int n; a:syscall::lseek:entry /n == 7/ { stop(); } b:syscall::lseek:entry { n++; }'
says 'assigning a thread-local variable here is not possible: the clause runs at the host' \
	-n 'int n; a:syscall::lseek:entry { self->x = n; } b:syscall::lseek:entry { n++; }'
says 'reading memory is not possible: the clause runs at the host' \
	-n 'long p; a:syscall::lseek:entry { trace(*(int *)p); } b:syscall::lseek:entry { p = arg1; }'
says 'machines cannot share last: the names of a stack exist on one machine only' \
	-n 'a:syscall::lseek:entry { last = stack(); } host:dtrace:::END { trace(last); }'
says 'does not match any probes' -n 'a:syscall::nonsense:entry'
says "failed to set -x targetmatch" -x targetmatch=nonsense -n 'BEGIN'
trace -x targetmatch=name -n 'Linux*:dtrace:::BEGIN' >"$work/out" 2>&1
has "$work/out" 'no such target' "-x targetmatch=name leaves out other names"

# Functions and static probes of a process of a target, by its pid there.
{
	until [ -e "$work/go" ]; do sleep 0.05; done
	echo x
	echo x
} | "$top/build/test-usdt-debug" wait 50 >"$work/fired" &
fired=$!
start_run 0 "a:testprov$fired:::numbers, b:testprov$fired:::idle { @probes[vmname, probename] = count(); }
	a:testprov$fired:::numbers { @sum = sum(args[0]); @where[ustack(1)] = count(); }
	b:pid$fired:a.out:fire:entry { @funcs[vmname, probefunc] = count(); @args = sum(args[0]); }
	a:pid$fired:libc*:fgets:return { @funcs[vmname, probefunc] = count(); }
	END { printa(\"%s %s %@d\n\", @probes); printa(\"%s %s %@d\n\", @funcs); printa(\"sum %@d\n\", @sum);
		printa(\"args %@d\n\", @args); printa(\"%k%@d times\n\", @where); }"
lines_come() {
	: >"$work/go"
	wait_for 20 grep -q enabled "$work/fired"
}
during lines_come
has "$work/out" '^a numbers 100$' "a static probe of a process of a target"
has "$work/out" '^b idle 100$' "another one of another target"
has "$work/out" "^sum $((2 * (50 * 200 + 49 * 25)))\$" "its arguments"
has "$work/out" '^b fire 100$' "a function"
has "$work/out" "^args $((2 * 49 * 25))\$" "its arguments, of the type that debug information tells"
has "$work/out" '^a fgets 3$' "a function of a library, where it returns"
has "$work/out" '^ *test-usdt-debug.fire\+0x[0-9a-f]+$' "and stacks, by name"
is "$(cat "$work/fired")" "enabled 100" "the process sees that the probe is enabled"
says 'failed to grab process 99999999: No such process' -n 'a:pid99999999:::entry'
says 'does not match any probes' -n "a:pid*:a.out:main:entry"

# Targets that do not exist, do not speak, or go away.
timeout 60 "$dtrace" -E -x "target=a=$agent" -x "target=gone=unix:$work/nowhere" -x 'target=noise=exec:head -c 300000 /dev/urandom' \
	-qn 'a:dtrace:::BEGIN, host:dtrace:::BEGIN { printf("%s\n", vmname); } tick-200ms { exit(0); }' >"$work/out" 2>"$work/err"
is $? 0 "a run goes on without the targets that cannot be connected"
is "$(sort "$work/out" | tr -d '\n')" "ahost" "with all others"
has "$work/err" '^dtrace: target gone \(unix:.*: No such file or directory$' "one is said not to be there"
has "$work/err" '^dtrace: target noise \(exec:.*: the other end is not open$' "one to send noise"

# agents: prints processes that serve.
agents() {
	pgrep -f "^$work/agentd --agent"
}

start_run 0 'a:syscall::lseek:entry, b:syscall::lseek:entry /execname == "'"$caller"'" && (int)arg0 == -1/ { @[vmname] = count(); }'
lose_one() {
	"$calls" 100 1
	sleep 0.3
	kill -KILL "$(agents | head -1)"
	wait_for 20 grep -q lost "$work/err"
	"$calls" 50 1
}
during lose_one
is $status 0 "an agent is killed: the run goes on"
has "$work/err" 'target [ab] is lost: the connection has ended' "and names it"
has "$work/out" '^ +[ab] +150$' "for the others"

# An agent that comes back is traced again; the counts and values of all machines are kept.
serve() {
	"$work/agentd" --agent "unix:$1" >/dev/null 2>"$work/agent.err" &
	listener=$!
	own_pids+=("$listener")
	wait_for 20 test -S "$1"
}
serve "$work/back"
: >"$work/out"
: >"$work/err"
timeout 60 "$dtrace" -E -x "target=a=unix:$work/back" -x "target=b=$agent" -qn 'long n, of[string];
	a:dtrace:::BEGIN { printf("begin %s\n", vmname); } BEGIN { printf("ready\n"); }
	a:syscall::lseek:entry, b:syscall::lseek:entry /execname == "'"$caller"'" && (int)arg0 == -1/ { @[vmname] = count(); }
	a:syscall::lseek:entry, b:syscall::lseek:entry /execname == "'"$caller"'" && (int)arg0 == -1/ { n++; of[vmname]++; }
	b:syscall::lseek:entry /execname == "'"$stopper"'"/ { exit(0); }
	END { printf("n %d a %d b %d\n", n, of["a"], of["b"]); }' >"$work/out" 2>"$work/err" &
pid=$!
lose_and_find() {
	"$calls" 100 1
	# Counts are fetched from a machine every second.
	sleep 2
	kill -KILL "$(pgrep -P $listener)"
	kill -KILL "$listener"
	rm -f "$work/back"
	wait_for 20 grep -q lost "$work/err"
	"$calls" 50 1
	serve "$work/back"
	wait_for 20 grep -q 'is back' "$work/err"
	"$calls" 25 1
}
during lose_and_find
is $status 0 "a target that is lost and comes back"
has "$work/err" 'target a is lost: the connection has ended' "is named when it goes"
has "$work/err" 'target a is back' "and when it is back"
is "$(grep -c '^begin a$' "$work/out")" 2 "its BEGIN fires again"
has "$work/out" '^n 300 a 125 b 175$' "shared variables go on"
has "$work/out" '^ +a +125$' "so do aggregations: what it had counted is kept"
has "$work/out" '^ +b +175$' "and the rows of the others"

# Guests that nobody has named: here from libvirt's folders, whose names have a number that changes when the guest
# restarts.  This part runs only where no other guest is visible.
channels=$work/channels
mkdir -p "$channels"/domain-{1,2}-web
serve "$channels/domain-1-web/org.dtrace.agent.0"
: >"$work/out"
: >"$work/err"
timeout --foreground 60 unshare --mount --pid --fork --kill-child --mount-proc bash -c '
	for dir in /run /etc/dtrace /var/lib/libvirt; do
		[ ! -d $dir ] || mount -t tmpfs tmpfs $dir || exit 1
	done
	mkdir -p /run/libvirt/qemu/channel && mount --bind "$1" /run/libvirt/qemu/channel && shift && "$@"' \
	bash "$channels" "$dtrace" -Eqn 'BEGIN { printf("ready\n"); }
	w*:syscall::lseek:entry /execname == "'"$caller"'" && (int)arg0 == -1/ { @[vmname] = count(); }
	host:syscall::lseek:entry /execname == "'"$stopper"'"/ { exit(0); }' >"$work/out" 2>"$work/err" &
pid=$!
start_anew() {
	"$calls" 100 1
	sleep 2
	kill -KILL "$(pgrep -P $listener)" "$listener"
	wait_for 20 grep -q lost "$work/err"
	rm -r "$channels/domain-1-web"
	serve "$channels/domain-2-web/org.dtrace.agent.0"
	wait_for 20 grep -q 'is back' "$work/err"
	"$calls" 25 1
}
during start_anew
is $status 0 "a guest that is found"
has "$work/err" 'target web is back' "and, started anew, is found at its new place"
has "$work/out" '^ +web +125$' "and counted there, too"

# If dtrace is killed, nothing is left.
"$work/agentd" --agent "unix:$work/agent" >/dev/null 2>"$work/agent.err" &
listener=$!
own_pids+=("$listener")
wait_for 20 test -S "$work/agent"
: >"$work/out"
timeout 60 "$dtrace" -E -x "target=a=unix:$work/agent" -qn 'a:syscall::lseek:entry { @ = count(); } BEGIN { printf("ready\n"); }' >"$work/out" 2>&1 &
pid=$!
wait_for 20 grep -q ready "$work/out"
timeout 60 "$dtrace" -E -x "target=a=unix:$work/agent" >"$work/second" 2>&1
has "$work/second" 'its agent serves another dtrace' "a second dtrace reports that the agent serves another"
serving=$(pgrep -P $listener)
ok "the agent serves in a process of its own" test -n "$serving"
kill -KILL "$(pgrep -P $pid)"
wait $pid 2>/dev/null
gone() {
	! kill -0 "$serving" 2>/dev/null
}
ok "it ends when dtrace is killed" wait_for 5 gone
timeout 60 "$dtrace" -E -x "target=a=unix:$work/agent" >"$work/third" 2>&1
has "$work/third" '^a .*connected$' "and another is served then"

done_testing
