#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# udp-multicast.t: multicast datagrams, by a comparison of strings; received once, or not at all.
#
# guests: 6.12
# needs: nc ping tcpdump
. "${0%/*}/lib.sh"

net_up
dtrace_start -n "udp:::send
	/$(ours 'args[2]->ip_saddr') && args[2]->ip_daddr >= \"224.\" && args[2]->ip_daddr < \"240.\"/
	{ @[args[2]->ip_daddr] = count(); @[\"all\"] = count(); }
	udp:::send /$(ours 'args[2]->ip_saddr') && args[2]->ip_daddr >= \"ff\"/
	{ @[args[2]->ip_daddr] = count(); }"
capture_start a
traffic_to 4 "$group4" - "$ns_a" udp-multicast
traffic_to 6 "$group6" - "$ns_a" udp-multicast
traffic_run 4 udp udp-closed
capture_stop a
dtrace_stop
is "$(captured a "udp and dst net 224.0.0.0/4")" 3 "tcpdump sees 3 datagrams to the group"
is "$(value "$group4")" 3 "datagrams to $group4"
is "$(value all)" 3 "no datagram to a single address passes the predicate"
is "$(value "$group6")" "$(captured a "udp and dst host $group6")" "datagrams to $group6"

# A member of the group without and with a socket.
ip -n "$ns_b" addr add "$group4/32" dev dtb autojoin
ip -n "$ns_b" addr add "$group6/128" dev dtb nodad autojoin
dtrace_start -n "udp:::receive /$(ours 'args[2]->ip_saddr')/
	{ @[args[2]->ip_daddr, args[3]->udps_lport] = count(); }"
for _ in without with; do
	traffic_to 4 "$group4" - "$ns_a" udp-multicast
	traffic_to 6 "$group6" - "$ns_a" udp-multicast
	listens b -u 7016 || { nc_start b 7016 -u; nc_start b 7016 -u -6; }
done
dtrace_stop
for group in "$group4" "$group6"; do
	is "$(value "$group" 7016)" 3 "a socket receives each datagram to $group once"
	is "$(value "$group" 0)" 0 "no datagram to $group is received by nobody"
done
is "$(nstat_value b UdpIgnoredMulti) $(nstat_value b Udp6IgnoredMulti)" "3 3" \
	"the kernel has ignored those without a socket"

done_testing
