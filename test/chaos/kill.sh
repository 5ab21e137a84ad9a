#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# kill.sh SEED COUNT: kills dtrace while it compiles, loads, attaches, traces or ends.
# Traced programs run on with their right result, and nothing is left.
rounds=210
. "${0%/*}/lib.sh"

start_load calls 1000000000 100

# arguments MODE: sets the array $arguments.
arguments() {
	local sums='syscall::lseek:entry /pid == $target/ { @made = count(); printf("x %d\n", arg1); }'
	case $1 in
	pid) arguments=(-qn 'pid$target:load::entry,pid$target:load:step: { @ = count(); }' -p "$target") ;;
	usdt) arguments=(-qn 'chaos$target:::step { @ = count(); }' -p "$target") ;;
	every) arguments=(-qn 'chaos*:::step { @[pid] = count(); }') ;;
	command) arguments=(-qn 'pid$target:load:step:entry { printf("x %d\n", arg0); }' -c "$load calls 100000 50") ;;
	file) arguments=(-qn "$sums" -p "$target" -o "$work/out/file") ;;
	save) arguments=(-qn "$sums" -p "$target" --save "$work/out/saved") ;;
	flame) arguments=(-qn 'profile-997 /pid == $target/ { @[ustack()] = count(); }' -p "$target" --flame "$work/out/picture.svg") ;;
	esac
}

modes=(pid usdt every command file save flame)
declare -A whole=()
for ((i = 0; i < count; i++)); do
	begin_round
	mode=${modes[i % ${#modes[@]}]}
	arguments "$mode"
	begin=${EPOCHREALTIME/./}
	start "${arguments[@]}"
	wait_for grep -q dtrace "/proc/$pid/comm" 2>/dev/null
	pick start start tracing ending
	case ${whole[$mode]:+$picked} in
	start) pause "${whole[$mode]}" ;;
	*)
		wait_for is_tracing
		: "${whole[$mode]:=$(((${EPOCHREALTIME/./} - begin) / 1000))}"
		pause 200
		[ "$picked" != ending ] || { kill -INT "$pid"; pause 100; }
		;;
	esac
	kill -KILL "$pid" 2>/dev/null
	wait "$pid" 2>/dev/null
	status=$?
	[ $status = 137 ] || check_death KILL
	end_round
	if [ -s "$work/out/saved" ]; then
		run -q --from "$work/out/saved"
		check_death
		check_silent "--from of a file of a killed run"
	fi
done
report
