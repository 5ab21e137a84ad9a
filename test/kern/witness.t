#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# witness.t: a short run of each witness with a fixed seed; "make witness" runs them longer.
#
# guests: none
# needs: python3 tcpdump tshark
. "${0%/*}/lib.sh"

for name in mib packets tcp; do
	DTRACE=$dtrace "$top/test/witness/run.sh" $name 1 100 >"$work/$name" 2>&1
	ok "$name: nothing differs from the witness" test $? = 0 || note_file "$name" "$work/$name"
	has "$work/$name" '^[1-9][0-9]* values compared, .* 0 wrong$' "$name: values were compared"
done

done_testing
