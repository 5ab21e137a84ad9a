#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# witness.t: a short run of each witness with a fixed seed; "make witness" runs them longer.
#
# guests: none
# needs: gcc python3 strace tcpdump tshark
. "${0%/*}/lib.sh"

for run in 'mib 1 100' 'packets 1 100' 'tcp 1 100' 'loss 1 6' 'calls 1 5' 'files 1 150' 'processes 1 20' 'memory 1 12' 'stacks 1 2'; do
	name=${run%% *}
	# shellcheck disable=SC2086
	DTRACE=$dtrace "$top/test/witness/run.sh" $run >"$work/$name" 2>&1
	ok "$name: nothing differs from the witness" test $? = 0 || note_file "$name" "$work/$name"
	has "$work/$name" '^[1-9][0-9]* values compared, .* 0 wrong$' "$name: values were compared"
done

# Three of the paths, side by side; make witness has all.
paths=(segments vxlan)
! type -P nft >/dev/null || paths+=(dnat)
for path in "${paths[@]}"; do
	VARIANT=$path DTRACE=$dtrace "$top/test/witness/run.sh" packets 1 20 >"$work/path-$path" 2>&1 &
	own_pids+=($!)
done
for i in "${!paths[@]}"; do
	wait "${own_pids[i - ${#paths[@]}]}"
	ok "packets, path ${paths[i]}: nothing differs from the witness" test $? = 0 || note_file "${paths[i]}" "$work/path-${paths[i]}"
done

done_testing
