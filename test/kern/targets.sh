# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
#
# targets.sh: guests that this machine traces.  A test sources this file after lib.sh.

[ -z "${GUEST:-}" ] || skip_all "guests are traced from here"
type -P qemu-system-x86_64 >/dev/null || skip_all "no QEMU"

# Agents found without a name can belong to other users, so tests name theirs.
targets=()

# start_guest NAME VERSION [TAP]: starts a guest in the background, with an agent on one port and a shell on
# another.
start_guest() {
	# The command's variables are expanded in the guest, not here.
	# shellcheck disable=SC2016
	GUEST_NAME=$1 GUEST_PIDFILE=$work/$1.pid GUEST_TAP=${3:-} GUEST_MEMORY=768 GUEST_TIME=400 \
		GUEST_PORTS="org.dtrace.agent.0=$work/$1.agent shell=$work/$1.shell" \
		"$top/test/kern/guest.sh" "$2" 'build/dtrace --agent port &
			echo '"$1"' >/proc/sys/kernel/hostname
			for port in /sys/class/virtio-ports/*; do
				[ "$(cat $port/name)" = shell ] && shell=/dev/${port##*/}
			done
			while :; do bash <>$shell >&0 2>&1; sleep 0.1; done' >"$work/$1.log" 2>&1 &
	own_pids+=($!)
	targets+=(-x "target=$1=unix:$work/$1.agent")
}

# in_guest NAME COMMAND: runs the command, and passes on its output and status.
in_guest() {
	python3 "$top/test/kern/port.py" "$work/$1.shell" "$2"
}

# guest_is_up NAME: waits until its shell answers.
guest_is_up() {
	local i
	for ((i = 0; i < 300; i++)); do
		[ -S "$work/$1.shell" ] && python3 "$top/test/kern/port.py" "$work/$1.shell" true 5 2>/dev/null && {
				own_pids+=("$(cat "$work/$1.pid")")
				return
			}
		sleep 0.2
	done
	echo "the guest $1 did not come up:"
	tail -n 20 "$work/$1.log"
	return 1
}
