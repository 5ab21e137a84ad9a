#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# geneve.t: udp and mib receive datagrams whose tunnel puts options between their header and the packet inside.
#
# guests: 6.12
# needs: ping tcpdump
. "${0%/*}/lib.sh"

# tunnel_side a|b REMOTE ADDRESS MAC PEER-ADDRESS PEER-MAC: packets to the peer have 12 bytes of options.
tunnel_side() {
	local ns
	ns=$(ns_of "$1")
	ip -n "$ns" link add dtgn address "$4" type geneve external 2>"$work/trial" || kernel_lacks geneve
	ip -n "$ns" addr add "$3/32" dev dtgn
	ip -n "$ns" link set dtgn addrgenmode none
	ip -n "$ns" link set dtgn up
	ip -n "$ns" route add "$5" encap ip id 7 geneve_opts 0xFF01:0x80:1122334455667788 dst "$2" dev dtgn
	ip -n "$ns" neigh add "$5" lladdr "$6" dev dtgn nud permanent
}

net_up
inner_a=198.18.$net_number.1
inner_b=198.18.$net_number.2
tunnel_side a "$b4" "$inner_a" 02:00:00:00:02:01 "$inner_b" 02:00:00:00:02:02
tunnel_side b "$a4" "$inner_b" 02:00:00:00:02:02 "$inner_a" 02:00:00:00:02:01
stack=$(stack_of b)
dtrace_start -n "udp:::receive /args[4]->udp_dport == 6081 && $(ours 'args[2]->ip_saddr')/
	{ @[args[2]->ip_saddr, args[2]->ip_daddr] = count(); @bytes[\"bytes\", args[2]->ip_saddr] = sum(args[4]->udp_length); }
	mib:::UdpInDatagrams, mib:::Udp6InDatagrams /args[1] == $stack/ { @m[probename] = sum(args[0]); }"
in=$(nstat_value b UdpInDatagrams)
on a ping -q -c 3 -i 0.2 -s 100 -W 5 "$inner_b" >"$work/ping" 2>&1
dtrace_stop
has "$work/ping" ' 3 received' "three packets went through"
is "$(value "$a4" "$b4")" 3 "udp:::receive from $a4"
is "$(value "$b4" "$a4")" 3 "udp:::receive from $b4"
# Headers of UDP, of the tunnel with its options, Ethernet, IPv4, ICMP, and the data.
is "$(value bytes "$a4")" $((3 * (8 + 8 + 12 + 14 + 20 + 8 + 100))) "their lengths"
is "$(value UdpInDatagrams)" $(($(nstat_value b UdpInDatagrams) - in)) "mib:::UdpInDatagrams is what nstat counts"
is "$(value Udp6InDatagrams)" 0 "no mib:::Udp6InDatagrams"

done_testing
