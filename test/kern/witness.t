#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# witness.t: a short run of each witness with a fixed seed; "make witness" runs them longer.
#
# guests: none
# needs: gcc python3 strace tcpdump tshark
. "${0%/*}/lib.sh"

# judge NAME PROCESS: waits for the run of a witness, and judges its output.
judge() {
	wait "$2"
	ok "$1: nothing differs from the witness" test $? = 0 || note_file "$1" "$work/$1"
	has "$work/$1" '^[1-9][0-9]* values compared, .* 0 wrong$' "$1: values were compared"
}

# run_beside NAME SEED COUNT [VARIANT]: starts a witness.
run_beside() {
	VARIANT=${4:-} DTRACE=$dtrace "$top/test/witness/run.sh" "$1" "$2" "$3" >"$work/$1${4:+-$4}" 2>&1 &
	own_pids+=($!)
}

# The witness of files waits for its disk most of the time.
run_beside files 1 60
files=$!
for run in 'mib 1 40' 'packets 1 40' 'tcp 1 50' 'loss 1 6' 'calls 1 5' 'processes 1 20' 'memory 1 12' 'stacks 1 2'; do
	# shellcheck disable=SC2086
	run_beside $run
	judge "${run%% *}" $!
done
judge files $files

# Two of the paths, side by side, as packets has the path "segments" for its seed; make witness has all.
paths=(vxlan)
! type -P nft >/dev/null || paths+=(dnat)
declare -A of=()
for path in "${paths[@]}"; do
	run_beside packets 1 20 "$path"
	of[$path]=$!
done
for path in "${paths[@]}"; do
	judge "packets-$path" "${of[$path]}"
done

done_testing
