#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# psinfo.t: psinfo_t and lwpsinfo_t of other processes, compared with /proc: existing processes, processes that
# execute something later, and children that do not.
# rows: argstr execargs jailname jid zonename
# guests: 6.12
. "${0%/*}/lib.sh"

# A name that no other test has, because tests run in parallel.
procs=$work/ps-procs
cp "$top/build/test-procs" "$procs"
mkfifo "$work/input"
exec 9<>"$work/input" # keeps the pipe open, so that readers wait

# child ARGUMENT...: starts a waiting child in the background; the process id goes to $started.
child() {
	"$@" <"$work/input" 9<&- &
	started=$!
	own_pids+=("$started")
}

# cmdline PID: prints its arguments, up to the size of a string.
cmdline() {
	local text
	text=$(tr '\0' ' ' <"/proc/$1/cmdline")
	text=${text:0:256}
	echo "${text%"${text##*[! ]}"}"
}

# ids PID: prints threads, parent, real and effective user and group, process group, session.
ids() {
	awk '/^PPid:/ { ppid = $2 } /^Uid:/ { uid = $2 " " $3 } /^Gid:/ { gid = $2 " " $3 }
		/^Threads:/ { threads = $2 } /^NSpgid:/ { pgid = $2 } /^NSsid:/ { sid = $2 }
		END { print threads, ppid, uid, gid, pgid, sid }' "/proc/$1/status"
}

names=()
pids=()

# add NAME PROGRAM...
add() {
	names+=("$1")
	shift
	child "$@"
	pids+=("$started")
}

long=$(printf 'word%.0s ' {1..100})
add "before tracing" "$procs" child one "two  words" three
add "with a title" "$procs" child retitle more arguments
add "with a title that goes on behind its arguments" env -i "A=$long" "$procs" child retitle-long
# shellcheck disable=SC2086
add "with more than a string holds" "$procs" child $long
add "without arguments" "$procs" empty
wait_for 20 eval '! grep -q . "/proc/$started/cmdline"'
add "of another user and group" "$procs" nobody
add "in a session of its own" setsid "$procs" child session
sleep 0.5

dtrace_start -q -n "proc:::signal-send /pid == $$ && args[2] == 23/ {
	printf(\"%d|%s\n\", args[1]->pr_pid, args[1]->pr_psargs);
	printf(\"%d:%d %d %d %d %d %d %d %d\n\", args[1]->pr_pid, args[1]->pr_nlwp, args[1]->pr_ppid,
	    args[1]->pr_uid, args[1]->pr_euid, args[1]->pr_gid, args[1]->pr_egid, args[1]->pr_pgid,
	    args[1]->pr_sid);
	printf(\"%d;%d %c %s\n\", args[1]->pr_pid, args[0]->pr_lwpid, args[0]->pr_sname, args[0]->pr_name); }
	proc:::create /pid == $$/ { printf(\"child %d|%s\n\", args[0]->pr_pid, args[0]->pr_psargs); }"
add "executed since" "$procs" child later
(
	exec -a "$procs" cat
) <"$work/input" 9<&- &
names+=("executed since, under another name")
pids+=("$!")
( read -r line ) <"$work/input" 9<&- &
names+=("a child that executes nothing")
pids+=("$!")
own_pids+=("${pids[@]}")
sleep 0.5
for i in "${!pids[@]}"; do
	pid=${pids[$i]}
	cmdline "$pid" >"$work/cmdline.$i"
	ids "$pid" >"$work/ids.$i"
	sed -E 's/.*\) (.) .*/\1/' "/proc/$pid/stat" >"$work/state.$i"
	cat "/proc/$pid/comm" >"$work/comm.$i"
	# A process without arguments has its name there, as in ps(1).
	grep -q . "$work/cmdline.$i" || cp "$work/comm.$i" "$work/cmdline.$i"
	kill -URG "$pid"
done
dtrace_stop
for i in "${!pids[@]}"; do
	pid=${pids[$i]}
	is "$(sed -n "s/^$pid|//p" "$work/out")" "$(cat "$work/cmdline.$i")" "pr_psargs of a process ${names[$i]}"
	is "$(sed -n "s/^$pid://p" "$work/out")" "$(cat "$work/ids.$i")" "ids of it"
	is "$(sed -n "s/^$pid;//p" "$work/out")" "$pid $(cat "$work/state.$i") $(cat "$work/comm.$i")" \
		"its first thread"
done
is "$(sed -n "s/^child ${pids[-1]}|//p" "$work/out")" "$(cmdline $$)" "a child begins with the arguments of its parent"

# Data about a process is discarded when it ends.
dtrace_start -q -n "proc:::exit /ppid == $$ && curpsinfo->pr_fname == \"ps-procs\"/ { last = pid; }
	proc:::signal-send /pid == $$ && args[2] == 23/ {
	printf(\"%s\n%d %d\n\", args[1]->pr_psargs, last, proc_args[last] == NULL); }"
"$procs" nothing
kill -URG "${pids[0]}"
dtrace_stop
has "$work/out" "^$(cmdline "${pids[0]}")\$" "arguments of an existing process"
has "$work/out" '^[1-9][0-9]* 1$' "nothing is kept of one that has ended"

# Containers, seen from inside and from outside.
cgroup_up
dtrace_start -q -n "proc:::exec-success /execname == \"ps-procs\"/ {
		printf(\"%s %d %s %d\n\", zonename, jid, jailname, curpsinfo->pr_zoneid); }
	proc:::signal-send /pid == $$ && args[2] == 23/ { printf(\"zone %d\n\", args[1]->pr_zoneid); }"
(
	echo $BASHPID >"$cgroup/cgroup.procs"
	exec "$procs" contained
) <"$work/input" 9<&- &
own_pids+=("$!")
in_container() {
	read -r inside <"/proc/$1/task/$1/children"
	[ "$inside" ]
}
wait_for 10 in_container $!
wait_for 10 grep -q child "/proc/$inside/cmdline"
kill -URG $inside
kill -URG "${pids[0]}"
zone=$(readlink "/proc/$inside/ns/pid")
zone=$((${zone//[!0-9]/} - 4026531840))
dtrace_stop
is "$(grep -v READY "$work/out" | grep .)" "global 0 0 0
${cgroup##*/} $zone ${cgroup##*/} $zone
zone $zone
zone 0" "zonename, jid, jailname, pr_zoneid: outside, inside, of one inside, of one outside"

# While the kernel loads the program, it may have to read the file's last pages, and the process has no arguments yet.
case $(findmnt -nvo SOURCE -T "$work") in
/dev/*)
	cp "$(type -P bash)" "$work/unread"
	sync "$work/unread"
	dtrace_start -q -n "io:::start /ppid == $$ && execname == \"unread\"/ { printf(\"%s|\", curpsinfo->pr_psargs); }"
	dd if="$work/unread" iflag=nocache count=0 2>/dev/null
	"$work/unread" -c 'exit 0'
	dtrace_stop
	is "$(grep -o '^unread|' "$work/out")" "unread|" "a program that is being made has a name"
	;;
*) skip "a program that is being made" "no disk has the files" ;;
esac

done_testing
