#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# ip-drop.t: packets that the kernel drops.  Packets for a port without a listener are compared with the counters of
# the namespace.  Packets for a neighbour that does not answer are compared with the sent packets (test/kern/events.c).
#
# guests: 6.1
# needs: ping tcpdump
. "${0%/*}/lib.sh"

n=23

# send ADDRESS: sends the datagrams, from a.
send() {
	on a "$top/build/test-events" send $n "$1" >"$work/sent"
	has "$work/sent" "^own $n\$" "$n datagrams are sent to $1"
}

net_up
for family in 4 6; do
	in_net a sh -c "echo 0 >/proc/sys/net/ipv$family/neigh/dta/mcast_solicit"
done
program="ip:::drop-in, ip:::drop-out /$(ours 'args[2]->ip_saddr')/
{ @[probename, args[2]->ip_daddr, args[3]->if_name, args[2]->ip_ver, args[2]->ip_plength] = count(); }"

dtrace_start -n "$program" || done_testing
no_ports=$(($(nstat_value b UdpNoPorts) + $(nstat_value b Udp6NoPorts)))
send "$b4"
send "$b6"
no_ports=$(($(nstat_value b UdpNoPorts) + $(nstat_value b Udp6NoPorts) - no_ports))
send "10.77.$net_number.98"
send "fd77:$net_number::98"
dtrace_stop
is "$no_ports" $((2 * n)) "the kernel counts each datagram for a closed port"
is "$(value drop-in "$b4" dtb 4 108)" $n "IPv4: each is dropped when it comes in"
is "$(value drop-in "$b6" dtb 6 108)" $n "IPv6: each is dropped when it comes in"
is "$(value drop-out "10.77.$net_number.98" dta 4 108)" $n "IPv4: each that has nowhere to go is dropped on its way out"
is "$(value drop-out "fd77:$net_number::98" dta 6 108)" $n "IPv6: each, too"

dtrace_start -n "ip:::drop-in /$(ours 'args[2]->ip_saddr')/
{ @[args[6] == SKB_DROP_REASON_NO_SOCKET, args[4]->ipv4_protostr, args[5]->ipv6_nextstr] = count(); }" || done_testing
send "$b4"
send "$b6"
dtrace_stop
is "$(value 1 UDP '<null>')" $n "IPv4: the reason, and the header"
is "$(value 1 '<null>' UDP)" $n "IPv6: the reason, and the header"

# A clause can be on all probes of the provider.
dtrace_start -n "ip::: /$(ours 'args[2]->ip_saddr') && args[3]->if_name == \"dtb\"/ { @[probename] = count(); }" ||
	done_testing
send "$b4"
dtrace_stop
is "$(value receive) $(value drop-in)" "$n $n" "ip:::"

before=$(sent_again)
dtrace_start -n "$program" || done_testing
capture_start a
traffic_run 4 hello bulk udp udp-fragments
traffic_run 6 hello bulk udp udp-fragments
capture_stop a
dtrace_stop
positive "$(captured a ip)" "there are packets"
between "$(awk '/^ *drop-/ { n += $NF } END { print n + 0 }' "$work/out")" 0 $(($(sent_again) - before)) \
	"what arrives is no drop"

done_testing
