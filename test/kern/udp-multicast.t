#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# udp-multicast.t: multicast datagrams by a comparison of strings.
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

done_testing
