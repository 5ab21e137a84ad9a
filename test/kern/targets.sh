# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
#
# targets.sh: guests that are traced from here.  A test sources it behind lib.sh.

[ -z "${GUEST:-}" ] || skip_all "guests are traced from here"
type -P qemu-system-x86_64 >/dev/null || skip_all "no QEMU"

# What is found without being named would be other people's, too.
targets=()

# start_guest NAME VERSION [TAP]: in the background, with an agent on its port and a shell on another.
start_guest() {
	# What has to run in the guest is not expanded here.
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

# in_guest NAME COMMAND: its output and status.
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
