#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# peers.t: agents and their clients can lie (test/kern/liar.py).  dtrace gives a lying target up, with a message; an agent
# makes only calls that tracing needs.
#
# guests: none
# needs: python3
. "${0%/*}/lib.sh"

# Calls, as in enum sys_op: bpf 0, perf_event_open 1, open 3, read 5.
for lie in "0 0x7fffffffff" "0 -2147483648 20" "1 -2147483648" "3 -2147483648" "3 0x7fffffffff" "5 0x7fffffff" "5 0x7fffffff 30"; do
	# shellcheck disable=SC2086
	timeout -k 5 60 "$dtrace" -E -x "target=a=exec:exec python3 $top/test/kern/liar.py answer $dtrace $lie" -qn '
		a:syscall::write:entry { @[execname] = count(); } a:proc:::exec { @[args[0]] = count(); }
		a:profile:::profile-97 { @s[ustack()] = count(); } tick-300ms { exit(0); }' >"$work/out" 2>"$work/err" </dev/null
	status=$?
	ok "$lie: it ends by itself" test $status -le 1 || note_file "status $status" "$work/err"
	ok "$lie: and says why" grep -q . "$work/err"
done

# Opened files cannot be read, so they are empty, including files about a call's arguments.
timeout -k 5 60 "$dtrace" -E -x "target=a=exec:exec python3 $top/test/kern/liar.py answer $dtrace 3 0x7fffffff" -qn '
	a:syscall::write:entry { @[execname] = count(); } tick-300ms { exit(0); }' >"$work/out" 2>"$work/err" </dev/null
status=$?
ok "files of a target are empty" test $status -le 1 || note_file "status $status" "$work/err"

# A target that cannot enable its probes does not end those of others.
timeout -k 5 60 "$dtrace" -E -x "target=a=exec:exec python3 $top/test/kern/liar.py answer $dtrace 1 -13" -qn '
	a:profile:::tick-5hz { @t = count(); } profile:::tick-50hz { n++; }
	profile:::tick-300ms { printf("host %d\n", n > 5); exit(0); }' >"$work/out" 2>"$work/err" </dev/null
is "$? $(cat "$work/out")" "0 host 1" "the host goes on without a target that refuses"
has "$work/err" "target a is lost: its probes cannot be enabled" "... and says so"
timeout -k 5 60 "$dtrace" -E -x "target=a=exec:exec python3 $top/test/kern/liar.py answer $dtrace 1 -13" -qn '
	a:profile:::tick-5hz { @t = count(); }' >"$work/out" 2>"$work/err" </dev/null
is $? 1 "nothing else is traced: status 1"

# A target that sends without end is bounded in memory, and does not hold up the host.
(
	ulimit -v 1000000
	exec timeout -k 5 60 "$dtrace" -E -x "target=a=exec:exec python3 $top/test/kern/liar.py flood $dtrace 20" -qn '
		a:profile:::profile-997 { trace(execname); } profile:::tick-500ms { printf("host goes on"); exit(0); }'
) >"$work/out" 2>"$work/err" </dev/null
is $? 0 "a target that floods: status 0" || note_file errors "$work/err"
ok "a target that floods: the host goes on" grep -aq "host goes on" "$work/out"

# Any user can put a port with the agent's name into a command line, with characters that control a terminal.
mkfifo "$work/wait"
chmod 755 "$work"
chmod 666 "$work/wait"
setpriv --reuid 65534 --clear-groups bash -c 'exec -a qemu-system-x86_64 bash -c read sh "$@" <>"$0"' "$work/wait" -name $'evil\e[2Jguest' \
	-chardev "socket,id=c,path=$work/none" -device virtserialport,chardev=c,name=org.dtrace.agent.0 &
own_pids+=($!)
wait_for 20 grep -aq ^qemu-system "/proc/$!/cmdline"
timeout 60 "$dtrace" -E -qn 'BEGIN { exit(0); }' >"$work/out" 2>"$work/err" </dev/null
has "$work/err" "ignoring guest evil\?\[2Jguest of process $!: it belongs to user 65534" "a guest of another user is not asked"

echo text >"$work/file"
chmod 644 "$work/file"
mkfifo "$work/file.fifo"
timeout 20 python3 "$top/test/kern/liar.py" ask "$dtrace" "$work/file" >"$work/out" 2>"$work/err"
# EACCES is 13, ENOENT 2.
is "$(grep -E '^(write|create|truncate|ioctl|pin)' "$work/out")" "write -13
create -13
truncate -13
ioctl -13
pin -13" "an agent writes nothing, makes nothing that stays, and knows no other ioctl"
is "$(grep -E '^(lookup|small|made-up|info|array|later)' "$work/out" | paste -sd ' ')" \
	"lookup -2 small -13 made-up -13 info -13 array -13 later -13" "addresses lie in memory that came with the call, and the memory is large enough"
is "$(grep -E '^(text|fd|self)' "$work/out" | paste -sd ' ')" "text -13 fd -13 self -13" "of files of processes programs are read, nothing else"
is "$(grep -E '^(fifo|kmsg|pipe)' "$work/out" | paste -sd ' ')" "fifo -13 kmsg -13 pipe -13" \
	"it waits for no FIFO, and takes no messages away from others"
is "$(awk '$1 == "twice" { print $2 }' "$work/out")" ended "two memories for one argument end the connection"
is "$(cat "$work/file")" text "the file is as it was"
ok "no other was made" test ! -e "$work/file.new"

done_testing
