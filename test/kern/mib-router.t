#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# mib-router.t: counters of a router that forwards packets, compared with nstat: ICMP messages are not for the router,
# and fragments are forwarded one by one.
#
# guests: 6.12
# needs: ping
. "${0%/*}/lib.sh"

# A second pair joins b, the router, and a third namespace beyond it.
net_up
ns_c=dtr$net_number-c
trap 'ip netns del $ns_c; cleanup' EXIT
ip netns add "$ns_c"
c4=198.18.$net_number.2
c6=fd78:$net_number::2
ip link add dtr netns "$ns_b" type veth peer name dtc netns "$ns_c"
ip -n "$ns_b" addr add "198.18.$net_number.1/24" dev dtr
ip -n "$ns_b" addr add "fd78:$net_number::1/64" dev dtr nodad
ip -n "$ns_c" addr add "$c4/24" dev dtc
ip -n "$ns_c" addr add "$c6/64" dev dtc nodad
ip -n "$ns_b" link set dtr up
ip -n "$ns_c" link set dtc up
ip -n "$ns_a" route add default via "$b4"
ip -n "$ns_a" -6 route add default via "$b6"
ip -n "$ns_c" route add default via "198.18.$net_number.1"
ip -n "$ns_c" -6 route add default via "fd78:$net_number::1"
in_net b bash -c "echo 1 >/proc/sys/net/ipv4/ip_forward; echo 1 >/proc/sys/net/ipv6/conf/all/forwarding"
on a ping -q -c 1 -W 5 "$c4" >/dev/null
on a ping -q -c 1 -W 5 "$c6" >/dev/null
sleep 2

names='IcmpInMsgs IcmpInEchos IcmpInEchoReps IcmpInDestUnreachs IpForwDatagrams IpInReceives Icmp6InMsgs Ip6OutForwDatagrams IpExtInOctets'
counters() {
	in_net b nstat -asz
}
grown() {
	awk -v name="$1" '$1 == name { n = $2 - n } END { print n + 0 }' "$work/${2:-inner}1" "$work/${2:-inner}2"
}
program=
for name in $names; do
	program+="mib:::$name /args[1] == $(stack_of b)/ { @[probename] = sum(args[0]); }"$'\n'
done
counters >"$work/outer1"
dtrace_start -n "$program" || done_testing
counters >"$work/inner1"
for addr in "$c4" "$c6"; do
	on a ping -q -c 2 -i 0.2 -W 2 "$addr" >/dev/null
	on a ping -q -c 1 -W 2 -s 5000 "$addr" >/dev/null
done
# Packets for the router itself: two echo requests, one in fragments, and an answer.
on a ping -q -c 1 -W 2 "$b4" >/dev/null
on a ping -q -c 1 -W 2 -s 4000 "$b4" >/dev/null
on b ping -q -c 1 -W 2 "$a4" >/dev/null
traffic_run 4 udp-closed
counters >"$work/inner2"
dtrace_stop
counters >"$work/outer2"
for name in $names; do
	between "$(value "$name")" "$(grown "$name")" "$(grown "$name" outer)" "$name is what nstat counts"
done
for name in IcmpInEchos IcmpInEchoReps IpForwDatagrams Ip6OutForwDatagrams; do
	positive "$(grown "$name")" "there were such: $name"
done

done_testing
