#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# peers.t: agents and those who ask them may lie (test/kern/liar.py): a target is given up, with a message, and an agent does
# nothing but what tracing needs.
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

echo text >"$work/file"
chmod 644 "$work/file"
timeout 20 python3 "$top/test/kern/liar.py" ask "$dtrace" "$work/file" >"$work/out" 2>"$work/err"
# EACCES is 13.
is "$(grep -E '^(write|create|truncate|ioctl|pin)' "$work/out")" "write -13
create -13
truncate -13
ioctl -13
pin -13" "an agent writes nothing, makes nothing that stays, and knows no other ioctl"
is "$(awk '$1 == "twice" { print $2 }' "$work/out")" ended "two memories for one argument end the connection"
is "$(cat "$work/file")" text "the file is as it was"
ok "no other was made" test ! -e "$work/file.new"

done_testing
