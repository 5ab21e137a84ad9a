#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# peers.sh SEED COUNT: agents that lie, stop in a frame, say nothing or flood, and hosts that send noise to an agent.
# The host's own probes fire on, and dtrace and the agent end.
rounds=45
. "${0%/*}/lib.sh"

start_load calls 1000000000 1000
limit=30 # a silent agent has 10 s

# target COMMAND: traces this machine and a target behind the command.
target() {
	start -E -x "target=a=exec:exec $1" -qn 'host:syscall::lseek:entry /pid == $target/ { @made = count(); }
		a:profile:::tick-5hz { @t = count(); } host:profile:::tick-1s { exit(0); }
		END { printa("made %@d\n", @made); printf("end\n"); }' -p "$target"
	finish
	check_death
	check_silent "$1"
	# A program that names a target is an error if no agent answers.
	grep -q 'no agent answers' "$work/err" || grep -Eq '^made [1-9]' "$work/out/text" ||
		fault wrong "the host's probes did not fire: $1"
	[ -s "$work/err" ] || [ "${2:-}" = maybe ] || fault silent "nothing is said of the target: $1"
}

for ((i = 0; i < count; i++)); do
	begin_round
	below 1000000
	number=$n
	case $((i % 3)) in
	0)
		# The results of calls: errors, other descriptors, sizes.
		pick -1 -13 -110 0 1 0x7fffffff -0x7fffffff 4096 99999
		result=$picked
		below 6
		op=$n
		below 20
		target "/usr/bin/python3 $top/test/kern/liar.py answer $dtrace $op $result $n" maybe
		;;
	1)
		pick half silent flood noise huge welcome
		target "/usr/bin/python3 $here/peer.py $picked $number"
		;;
	2)
		pick half flood noise huge welcome
		in_group dtrace timeout -k 5 25 "$dtrace" --agent < <("$here/peer.py" "$picked" "$number" </dev/null) \
			>"$work/out/text" 2>"$work/err" &
		pid=$!
		finish
		check_death
		[ $status != 124 ] || fault hangs "an agent whose host sends $picked"
		;;
	esac
	end_round
done
report
