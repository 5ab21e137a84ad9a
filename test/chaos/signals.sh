#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# signals.sh SEED COUNT: sends dtrace many signals at random moments.
# The sum of shown and dropped records is right, and traced programs go on.
rounds=150
. "${0%/*}/lib.sh"

start_load calls 1000000000 20
program='syscall::lseek:entry /pid == $target/ { @made = count(); }
	syscall::lseek:entry /pid == $target/ { printf("x %d\n", arg1); }
	END { printa("made %@d\n", @made); printf("end\n"); }'
for ((i = 0; i < count; i++)); do
	begin_round
	pick 4m 64k 16k
	arguments=(-x "bufsize=$picked" -x strsize=64 -qn "$program" -p "$target")
	files=("$work/out/text")
	below 2
	[ $n = 0 ] || { arguments+=(-o "$work/out/file"); files=("$work/out/file"); }
	start "${arguments[@]}"
	wait_for grep -q dtrace "/proc/$pid/comm" 2>/dev/null
	pick early late late
	[ "$picked" = early ] && pause 150 || wait_for is_tracing
	sent=()
	below 8
	for ((j = n + 1; j > 0; j--)); do
		pause 60
		pick INT TERM HUP USR1 USR2 STOP STOP HUP ALRM QUIT
		# A pause is no request to end.
		if [ "$picked" = STOP ]; then
			kill -STOP "$pid" 2>/dev/null
			pause 100
			kill -CONT "$pid" 2>/dev/null
			continue
		fi
		# To rotate a file is to rename it first.
		[ "$picked" != HUP ] || mv "$work/out/file" "$work/out/file.$j" 2>/dev/null
		sent+=("$picked")
		kill -"$picked" "$pid" 2>/dev/null
	done
	pause 50
	sent+=(TERM)
	kill -TERM "$pid" 2>/dev/null
	finish
	check_death "${sent[@]}"
	faults=$wrong
	[ $status -gt 128 ] || check_sum "$work"/out/*
	[ $faults = $wrong ] || echo "#   ${arguments[*]:0:2}, ${files[*]##*/}, signals ${sent[*]}"
	end_round
done
report
