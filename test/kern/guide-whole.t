#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# guide-whole.t: commands of the guides that trace a whole machine, where it is ours: each is interrupted
# after a while, has nothing to complain of, and has seen something.
. "${0%/*}/lib.sh"
. "${0%/*}/disk.sh"
guest_only 6.12
[ -n "${GUEST:-}" ] || skip_all "would trace what others do here"

mkdir "$work/bin"
ln -s "$dtrace" "$work/bin/dtrace"
export PATH=$work/bin:$top/dwatch:$PATH
cd "$top" || exit 1

# Something happens: files, connections, a disk, processes.
nc -lk 127.0.0.1 7777 >/dev/null &
own_pids+=($!)
head -c 1000000 /dev/zero >"$work/image"
device=$(losetup -f --show "$work/image")
while sleep 0.3; do
	cat /etc/hosts
	echo text >/dev/tcp/127.0.0.1/7777
	dd if=/dev/zero of="$device" bs=4096 count=4 oflag=direct status=none
done >/dev/null 2>&1 &
own_pids+=($!)

shown=0
while IFS= read -r -d '' command; do
	shown=$((shown + 1))
	timeout --preserve-status -s INT 6 bash -c "exec $command" >"$work/out" 2>"$work/err" </dev/null
	is $? 0 "${command%%$'\n'*}"
	ok "... without trouble" test -z "$(grep -vE 'description .* matched|script .* matched|has exited|^INFO' "$work/err")"
	# Locks may not be waited for.
	[[ $command == *lockstat* ]] || ok "... and it has seen something" test -n "$(tr -d ' \n' <"$work/out")"
done <"$top/build/guide-whole"
positive $shown "there are commands"
losetup -d "$device"
done_testing
