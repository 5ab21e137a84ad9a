# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
#
# lib.sh: functions for witnesses.  A witness sources this file, or lib_net.sh, and ends with report_table.
set -u
export LC_ALL=C PATH=/usr/sbin:/usr/bin:/sbin:/bin:$PATH
top=$(cd "${BASH_SOURCE[0]%/*}/../.." && pwd)
dtrace=${DTRACE:-$top/build/dtrace}
work=$(mktemp -d)
declare -A ns=()
traces=()
own_pids=()
cgroup=

cleanup() {
	local side
	local pids=("${traces[@]}" "${own_pids[@]}")
	[ ${#pids[@]} = 0 ] || kill "${pids[@]}" 2>/dev/null
	for side in "${!ns[@]}"; do ip netns del "${ns[$side]}" 2>/dev/null; done
	[ -z "$cgroup" ] || { wait_for rmdir "$cgroup"; } 2>/dev/null
	[ -n "${KEEP:-}" ] || rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT TERM HUP

# run_traced OPTION... -- COMMAND...: runs the command while dtrace traces, with its output in $work/out.
run_traced() {
	local options=()
	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	shift
	"$dtrace" -x bufsize=16m "${options[@]}" -c "$*" -o "$work/out" 2>"$work/err" || { cat "$work/err" >&2; exit 2; }
	cat "$work/err" >&2
}

# wait_for COMMAND...: waits until the command succeeds, for half a minute at most.
wait_for() {
	local i
	for ((i = 0; i < 600; i++)); do
		"$@" && return
		sleep 0.05
	done
	return 1
}

# is_tracing PID: returns success if PID or one of its children is a dtrace that waits for records.
is_tracing() {
	local name child children
	name=$(cat "/proc/$1/comm" 2>/dev/null) || return
	if [[ $name = dtrace* ]]; then
		[[ $(cat "/proc/$1/wchan") = *poll* ]]
		return
	fi
	read -ra children 2>/dev/null <"/proc/$1/task/$1/children" || return
	for child in "${children[@]}"; do
		is_tracing "$child" && return
	done
	return 1
}

# trace_start FILE COMMAND...: starts dtrace or a tool with its output in FILE; trace_stop ends all of these.
trace_start() {
	env --default-signal=INT DTRACE="$dtrace" "${@:2}" >"$1" 2>"$1.err" </dev/null &
	traces+=($!)
	wait_for is_tracing $! || { cat "$1.err" >&2; exit 2; }
}

trace_stop() {
	sleep 0.3
	kill -INT "${traces[@]}"
	wait "${traces[@]}"
	traces=()
	cat "$work"/*.err >&2
}

# in_guest COMMAND: runs a shell command in a guest with Debian's kernel GUEST, whose current folder has the witnesses.  There,
# GUEST is empty, and IN_GUEST says so.
in_guest() {
	local tree=$work/tree file
	mkdir -p "$tree/main/test" "$tree/usr/lib" "$tree/usr/bin"
	cp -r "$top/test/witness" "$tree/main/test"
	cp -r /usr/lib/python3.[0-9]* "$tree/usr/lib"
	find "$tree/usr/lib" \( -name __pycache__ -o -name test -o -name idlelib -o -name 'lib2to3' -o -name 'config-3*' \) -prune -exec rm -r {} +
	for file in /usr/bin/python3 "$(type -P nft)" "$(type -P sysctl)" "$(type -P stat)"; do
		cp -L "$file" "$tree/usr/bin"
	done
	for file in $("$top/tools/guest/root.sh" --libraries "$tree"/usr/bin/* "$tree"/usr/lib/python3*/lib-dynload/_{ctypes,socket,struct}*.so); do
		mkdir -p "$tree/usr${file%/*}"
		cp -L "$file" "$tree/usr${file#/usr}"
	done
	# The guest's shell expands these.
	# shellcheck disable=SC2016
	GUEST_TREE=$tree "$top/test/kern/guest.sh" "$GUEST" 'for file in /guest/later/*.ko; do insmod "$file" 2>/dev/null; done
		export GUEST= IN_GUEST=yes
		'"$1"
}

# move_to_guest SEED COUNT: if GUEST names a kernel, runs the whole witness in a guest, and ends with its status.
move_to_guest() {
	[ -n "${GUEST:-}" ] || return 0
	in_guest "test/witness/${0##*/} $1 $2"
	exit
}

# report_table FILE: prints the rows that differ, and the counts.  Each row is "same|differs NAME WHERE GOT WANT".
report_table() {
	awk '{ n++; moved += ($4 != 0 || $5 != 0) } $1 == "differs" { wrong++; print "# " $2, "in " $3 ": dtrace " $4 ", witness " $5 }
		END {
			printf "%d values compared, %d of them not zero, %d wrong\n", n, moved, wrong
			exit wrong > 0 || n == 0
		}' "$1"
}
