#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# audit.t: the tool audit, in a network namespace of the test.
#
# guests: none
# needs: ping
. "${0%/*}/lib.sh"

net_up
DTRACE=$dtrace in_net b "$top/scripts/audit" 2 >"$work/out" 2>"$work/err" &
audit=$!
own_pids+=($audit)
# From the attaching of the probes on, until the tool ends.
while kill -0 $audit 2>/dev/null; do
	on a ping -q -c 5 -i 0.2 -W 1 "$b4" >/dev/null
done
wait $audit
is $? 0 "the tool ends with status 0"
awk '$1 == "mib:::IcmpInEchos" { print $2, $4 }' "$work/out" >"$work/row"
read -r count diff <"$work/row"
between "${count:-0}" 5 30 "a count of echo requests"
is "$diff" 0 "the kernel agrees"
is "$(awk '/^mib:::/ && $4 != 0' "$work/out")" "" "the kernel agrees with all counters of the namespace"
has "$work/out" '^[0-9]+ counters changed; the kernel agrees with [0-9]+$' "a sum"
is "$(DTRACE=/nowhere "$top/scripts/audit" 1 2>&1 >/dev/null | grep -c .)" 1 "a message without dtrace"

done_testing
