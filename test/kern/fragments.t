#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# fragments.t: a datagram in fragments is several packets of ip and one of udp.
#
# guests: 6.1
# needs: ping tcpdump
. "${0%/*}/lib.sh"

net_up
dtrace_start -n "ip:::send, ip:::receive /$(ours 'args[2]->ip_saddr')/
	{ @[probeprov, probename, args[2]->ip_saddr] = count(); }
	ip:::send /$(ours 'args[2]->ip_saddr') && args[2]->ip_ver == 4 && args[4]->ipv4_protocol == 17/
	{ @offset[\"offset\", args[4]->ipv4_offset, args[4]->ipv4_flags & 2] = count(); }
	udp:::send, udp:::receive /$(ours 'args[2]->ip_saddr')/
	{ @[probeprov, probename, args[2]->ip_saddr] = count();
	  @length[\"length\", probename, args[2]->ip_saddr] = sum(args[4]->udp_length); }"
capture_start a
traffic_run 4 udp-fragments
traffic_run 6 udp-fragments
capture_stop a
dtrace_stop

for addr in "$a4" "$a6"; do
	want=$(captured a "src host $addr and (udp or ip6[6] = 44)")
	is "$want" 4 "the datagram from $addr went in 4 fragments"
	for name in send receive; do
		is "$(value ip $name "$addr")" "$(captured a "src host $addr")" "ip:::$name from $addr"
		is "$(value udp $name "$addr")" 1 "udp:::$name from $addr"
		is "$(value length $name "$addr")" 5008 "udp_length of udp:::$name from $addr"
	done
done
is "$(value offset 0 2)" 1 "the first fragment: offset 0, more follow"
is "$(value offset 185 2)" 1 "the second fragment: offset 185 * 8"
is "$(value offset 370 2)" 1 "the third fragment: offset 370 * 8"
is "$(value offset 555 0)" 1 "the last fragment: offset 555 * 8, no more follow"

# The largest datagram: its offsets need 13 bits.
dtrace_start -n "ip:::send /$(ours 'args[2]->ip_saddr') && args[4]->ipv4_protocol == 1/
	{ @[args[4]->ipv4_offset, args[4]->ipv4_flags] = count(); }"
on a ping -q -c 1 -W 5 -s 65000 "$b4" >/dev/null
dtrace_stop
# 8 bytes of ICMP and 65,000 of data, 1,480 in each fragment, there and back.
last=$((65008 / 1480 * 185))
is "$(value $last 0)" 2 "the last fragment of a large datagram"
for offset in 0 3885 4070 4255 $((last - 185)); do
	is "$(value $offset 2)" 2 "a fragment with offset $offset"
done

done_testing
