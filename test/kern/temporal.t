#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# temporal.t: simultaneous records of two CPUs are all printed, each CPU's in the order of timestamp, with the
# option and without it.
# rows: -xtemporal
# guests: 6.12
. "${0%/*}/lib.sh"

[ "$(nproc)" -gt 1 ] || skip_all "one CPU only"
cat >"$work/two" <<'END'
for cpu in 0 1; do
	taskset -c $cpu bash -c 'for ((i = 0; i < 2000; i++)); do umask 022; done' &
done
wait
END
for temporal in yes no; do
	dtrace_run -q -x temporal=$temporal -c "bash $work/two" \
		-n 'syscall::umask:entry /progenyof($target) && arg0 == 022/ { printf("%d %d\n", cpu, timestamp); }'
	for cpu in 0 1; do
		awk -v cpu=$cpu 'NF == 2 && $1 == cpu { print $2 }' "$work/out" >"$work/cpu$cpu"
		ok "temporal=$temporal: records of CPU $cpu" test "$(wc -l <"$work/cpu$cpu")" -ge 2000
		ok "temporal=$temporal: CPU $cpu is in order" sort -nc "$work/cpu$cpu"
	done
	is "$(grep -c ' ' "$work/out")" "$(cat "$work"/cpu? | wc -l)" "temporal=$temporal: nothing else"
done

done_testing
