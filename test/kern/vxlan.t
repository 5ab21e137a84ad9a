#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# vxlan.t: a tunnel: the inner packet and the outer one are two packets of ip; the inner segment is one of tcp.  The
# kernel counts the outer datagrams as received, but not as sent.
#
# guests: 6.1
# needs: ping tcpdump
. "${0%/*}/lib.sh"

# tunnel_side a|b DEVICE LOCAL REMOTE ADDRESS MAC PEER-ADDRESS PEER-MAC
tunnel_side() {
	local ns
	ns=$(ns_of "$1")
	ip -n "$ns" link add dtvx address "$6" type vxlan id 77 dev "$2" local "$3" remote "$4" \
		dstport 4789 2>"$work/trial" || kernel_lacks vxlan
	ip -n "$ns" addr add "$5/30" dev dtvx
	# Without IPv6, the kernel sends nothing of its own through the tunnel.
	ip -n "$ns" link set dtvx addrgenmode none
	ip -n "$ns" link set dtvx up
	ip -n "$ns" neigh add "$7" lladdr "$8" dev dtvx nud permanent
}

net_up
# The inner addresses are in a network of their own, 198.18.N.0/24 (for tests, RFC 2544).
inner_a=198.18.$net_number.1
inner_b=198.18.$net_number.2
tunnel_side a dta "$a4" "$b4" "$inner_a" 02:00:00:00:01:01 "$inner_b" 02:00:00:00:01:02
tunnel_side b dtb "$b4" "$a4" "$inner_b" 02:00:00:00:01:02 "$inner_a" 02:00:00:00:01:01
on a ping -q -c 1 -W 5 "$inner_b" >/dev/null
stack=$(stack_of b)
saddr="($(ours 'args[2]->ip_saddr') || (args[2]->ip_saddr >= \"198.18.$net_number.\" && args[2]->ip_saddr < \"198.18.$net_number/\"))"
dtrace_start -n "ip:::send, ip:::receive, tcp:::send, tcp:::receive /$saddr/
	{ @[probeprov, probename, args[2]->ip_saddr] = count(); }
	udp:::send, udp:::receive /args[4]->udp_dport == 4789 && $(ours 'args[2]->ip_saddr')/
	{ @[probeprov, probename, args[2]->ip_saddr] = count();
	  @bytes[\"bytes\", probename, args[2]->ip_saddr] = sum(args[4]->udp_length); }
	mib:::UdpInDatagrams, mib:::UdpOutDatagrams, mib:::udpInDatagrams, mib:::Udp6InDatagrams /args[1] == $stack/
	{ @m[probename] = sum(args[0]); }"
in=$(nstat_value b UdpInDatagrams)
out=$(nstat_value b UdpOutDatagrams)
capture_start a
traffic_to 4 "$inner_b" "$ns_b" "$ns_a" hello
capture_stop a
dtrace_stop
for pair in "$a4 $inner_a" "$b4 $inner_b"; do
	read -r outer inner <<<"$pair"
	want=$(captured a "src host $outer and udp dst port 4789")
	positive "$want" "packets of the tunnel from $outer"
	for name in send receive; do
		is "$(value ip $name "$outer")" "$want" "ip:::$name from $outer, around"
		is "$(value ip $name "$inner")" "$want" "ip:::$name from $inner, inside"
		is "$(value tcp $name "$inner")" "$want" "tcp:::$name from $inner"
		is "$(value tcp $name "$outer")" 0 "no tcp:::$name from $outer"
		is "$(value udp $name "$outer")" "$want" "udp:::$name from $outer"
	done
	positive "$(value bytes receive "$outer")" "the datagrams have a length"
	is "$(value bytes receive "$outer")" "$(value bytes send "$outer")" "it is the same on both sides"
done
for name in UdpInDatagrams udpInDatagrams; do
	is "$(value $name)" $(($(nstat_value b UdpInDatagrams) - in)) "mib:::$name is what nstat counts"
done
is "$(value Udp6InDatagrams)" 0 "no mib:::Udp6InDatagrams"
is "$(value UdpOutDatagrams)" $(($(nstat_value b UdpOutDatagrams) - out)) "mib:::UdpOutDatagrams, too"

dtrace_start -n "udp:::send /args[4]->udp_dport == 4789 && $(ours 'args[2]->ip_saddr')/
	{ @[\"around\"] = sum(1); @[\"its socket\"] = sum(args[3]->udps_addr != 0); }
	udp:::send /args[4]->udp_dport == 4791 && $saddr/
	{ @[\"inside\"] = sum(args[3]->udps_lport == args[4]->udp_sport); }"
on a bash -c "echo datagram >/dev/udp/$inner_b/4791"
dtrace_stop
positive "$(value around)" "datagrams around"
is "$(value 'its socket')" 0 "a datagram around has not the socket of the datagram inside"
is "$(value inside)" 1 "the datagram inside has its socket"

done_testing
