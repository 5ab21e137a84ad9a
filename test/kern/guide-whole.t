#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# guide-whole.t: commands of the guides that trace a whole machine, on a machine of the test's own.  Each is
# interrupted after a while, reports nothing lost, and has printed something.
#
# guests: 6.12
# alone: its commands trace the whole machine
. "${0%/*}/lib.sh"
[ -n "${GUEST:-}" ] || skip_all "would trace what others do here"

cd "$top" || exit 1

# Activity: files, connections, a disk, processes.
nc -lk 127.0.0.1 7777 >/dev/null &
own_pids+=($!)
head -c 1048576 /dev/zero >"$work/image"
device=$(losetup -f --show "$work/image")
while sleep 0.3; do
	cat /etc/hosts
	echo text >/dev/tcp/127.0.0.1/7777
	dd if=/dev/zero of="$device" bs=4096 count=4 oflag=direct status=none
done >/dev/null 2>&1 &
own_pids+=($!)

# trace COMMAND FOLDER SECONDS: runs one command; its output and the verdict of dtrace_stop go to the folder.
trace() (
	work=$2
	own_pids=()
	dtrace() { dtrace_start "$@"; }
	eval "$1" || exit
	sleep "$3"
	dtrace_stop
) >"$2/log"

# sees FOLDER: returns success if the command in that folder printed a number.
sees() {
	grep -v READY "$1/out" | grep -q '[0-9]'
}

# judge COMMAND FOLDER: the checks of one command.  It gets more time if it has seen nothing.
judge() {
	note "$1"
	# Locks are not always contended, and nobody types here.
	if ! sees "$2" && [[ $1 != *@(lockstat|readline)* ]]; then
		trace "$1" "$2" 10
	fi
	is "$(grep -c '^ok' "$2/log")$(grep '^not ok' "$2/log")" 2 "it ends well" || note_file "its messages" "$2/err"
	[[ $1 == *@(lockstat|readline)* ]] || ok "it has seen something" sees "$2"
}

mapfile -d '' commands <"$top/build/guide-whole"
positive ${#commands[@]} "there are commands"
side=5
for ((i = 0; i < ${#commands[@]}; i += side)); do
	pids=()
	for ((k = i; k < i + side && k < ${#commands[@]}; k++)); do
		mkdir "$work/$k"
		trace "${commands[k]}" "$work/$k" 2 &
		pids+=($!)
	done
	wait "${pids[@]}"
	for ((k = i; k < i + side && k < ${#commands[@]}; k++)); do
		judge "${commands[k]}" "$work/$k"
	done
done
losetup -d "$device"
done_testing
