#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# guide-whole.t: commands of the guides that trace a whole machine, where it is ours: each is interrupted
# after a while, has nothing to complain of, and has seen something.
#
# guests: 6.12
. "${0%/*}/lib.sh"
[ -n "${GUEST:-}" ] || skip_all "would trace what others do here"

cd "$top" || exit 1

# Something happens: files, connections, a disk, processes.
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

# What a command says is said to a dtrace that can be waited for.
dtrace() {
	dtrace_start "$@"
}

shown=0
while IFS= read -r -d '' command; do
	shown=$((shown + 1))
	note "$command"
	eval "$command" || continue
	sleep 2
	dtrace_stop
	# Locks may not be waited for, and nobody types here.
	[[ $command == *@(lockstat|readline)* ]] ||
		ok "it has seen something" test -n "$(grep -v READY "$work/out" | grep '[0-9]')"
done <"$top/build/guide-whole"
positive $shown "there are commands"
losetup -d "$device"
done_testing
