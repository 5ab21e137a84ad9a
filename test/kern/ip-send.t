#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# ip-send.t: the distribution of payload sizes by destination, row by row, compared with tcpdump.
#
# guests: 6.1
# needs: ping tcpdump
. "${0%/*}/lib.sh"

# payload_lengths: prints ip_plength of each packet of the capture.
payload_lengths() {
	captured_lines a "dst host $1" -v -t |
		sed -n -e 's/^IP .*, length \([0-9]*\))$/\1/p' -e 's/^IP6 .*payload length: \([0-9]*\)).*/\1/p' |
		awk -v header="$2" '{ print $1 - header }'
}

# power_of_two_rows prints the rows of quantize(), value and count, for the numbers on standard input.
power_of_two_rows() {
	awk '{
		for (row = 1; row * 2 <= $1; row *= 2)
			;
		rows[row]++
	} END {
		for (row in rows)
			print row, rows[row]
	}'
}

compare() {
	local addr=$1 row want sum=0
	while read -r row want; do
		is "$(distribution_count "$addr" "$row")" "$want" "packets to $addr: row $row"
		sum=$((sum + want))
	done < <(payload_lengths "$addr" "$2" | power_of_two_rows)
	is "$(distribution_total "$addr")" "$sum" "packets to $addr: the sum of all rows"
	is "$(captured a "dst host $addr")" "$sum" "packets to $addr: all were compared"
}

net_up
dtrace_start -n "ip:::send /$(ours 'args[2]->ip_saddr') && $(ours 'args[2]->ip_daddr')/
	{ @[args[2]->ip_daddr] = quantize(args[2]->ip_plength); }"
capture_start a
for family in 4 6; do
	traffic_run $family hello bulk refused reset-unread udp udp-closed udp-fragments
done
capture_stop a
dtrace_stop
compare "$a4" 20
compare "$b4" 20
compare "$a6" 0
compare "$b6" 0
has "$work/out" 'value  ------------- Distribution ------------- count' "the head of a distribution"

done_testing
