#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# chaos.t: a few rounds of each kind of chaos with a fixed seed; "make chaos" runs more.
#
# guests: none
# needs: gcc python3 strace
. "${0%/*}/lib.sh"

for run in 'kill 1 6' 'signals 1 4' 'inject 1 8' 'limits 1 8' 'storms 1 2' 'peers 1 2' 'mutants 1 20'; do
	name=${run%% *}
	# shellcheck disable=SC2086
	DTRACE=$dtrace "$top/test/chaos/run.sh" $run >"$work/$name" 2>&1
	ok "$name: nothing dies, hangs, stays or is lost without a message" test $? = 0 || note_file "$name" "$work/$name"
	has "$work/$name" "^$name +${run##* } " "$name: all rounds ran"
done

done_testing
