#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# shaped.t: packets that are redirected to another device for shaping are sent and received once.
#
# guests: none
# needs: ping tc
. "${0%/*}/lib.sh"

net_up
for side in a b; do
	ip -n "$(ns_of $side)" link add shape type ifb 2>"$work/trial" || kernel_lacks ifb
	ip -n "$(ns_of $side)" link set shape up
done
stacks="(args[1] == $(stack_of a) || args[1] == $(stack_of b))"

# count_pings TEXT: counts 3 echo requests and the answers, one datagram and one refused segment.
count_pings() {
	dtrace_start -n "ip:::send, ip:::receive /$(ours 'args[2]->ip_saddr')/ { @[probename, args[2]->ip_saddr] = count(); }
	udp:::send, udp:::receive, tcp:::send, tcp:::receive /$(ours 'args[2]->ip_saddr')/
	{ @p[probeprov, probename, args[2]->ip_saddr] = count(); }
	mib:::IpInReceives, mib:::IpForwDatagrams, mib:::IpOutRequests /$stacks/ { @m[probename] = sum(args[0]); }"
	on a ping -q -c 3 -i 0.2 -W 1 "$b4" >/dev/null
	traffic_run 4 refused
	on a bash -c "echo >/dev/udp/$b4/9"
	dtrace_stop
	for name in send receive; do
		is "$(value $name "$a4")" 5 "$1: ip:::$name of the client's packets"
		is "$(value $name "$b4")" 5 "$1: ip:::$name of the server's packets"
		is "$(value udp $name "$a4")" 1 "$1: udp:::$name"
		is "$(value tcp $name "$a4")" 1 "$1: tcp:::$name"
	done
	is "$(value IpInReceives) $(value IpOutRequests) $(value IpForwDatagrams)" "10 10 0" "$1: what mib counts"
}

# to_shape SIDE PARENT: redirects all IPv4.
to_shape() {
	in_net "$1" tc filter add dev "dt$1" parent "$2" protocol ip u32 match u32 0 0 action mirred egress redirect dev shape
}

count_pings "no device between"
in_net b tc qdisc add dev dtb ingress
to_shape b ffff: 2>"$work/trial" || kernel_lacks "action mirred"
count_pings "the receiver's device"
in_net b tc qdisc del dev dtb ingress
in_net a tc qdisc add dev dta root handle 1: htb 2>"$work/trial" || kernel_lacks htb
to_shape a 1:
count_pings "the sender's device"

done_testing
