#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# bridge.t: packets that pass stacked devices are counted once: a bridge over the veth end of b.
#
# guests: 6.1
# needs: ping tcpdump
. "${0%/*}/lib.sh"

# b's addresses move from the veth end to a bridge with the veth end as a port, and with the same MAC.
bridge_up() {
	# With snooping, the bridge itself joins groups and sends reports.
	ip -n "$ns_b" link add dtbr type bridge mcast_snooping 0 2>"$work/trial" || kernel_lacks bridge
	ip -n "$ns_b" addr flush dev dtb
	ip -n "$ns_b" link set dtb master dtbr
	ip -n "$ns_b" link set dtbr address 02:00:00:00:00:02
	net_side "$ns_b" dtbr "$b4" "$b6" "$a4" "$a6" 02:00:00:00:00:01
	wait_for 20 on a ping -q -c 1 -W 1 "$b4"
	wait_for 20 on a ping -q -c 1 -W 1 "$b6"
}

net_up
bridge_up
saddr=$(ours 'args[2]->ip_saddr')
dtrace_start -n "ip:::send, ip:::receive, tcp:::send, tcp:::receive, udp:::send, udp:::receive /$saddr/
	{ @[probeprov, probename, args[2]->ip_saddr] = count(); }
	ip:::receive /$saddr/ { @device[args[3]->if_name, args[2]->ip_saddr] = count(); }"
capture_start a
traffic_run 4 hello refused udp
traffic_run 6 hello refused udp
capture_stop a
dtrace_stop
for addr in "$a4" "$b4" "$a6" "$b6"; do
	for name in send receive; do
		is "$(value ip $name "$addr")" "$(captured a "src host $addr")" "ip:::$name from $addr"
		is "$(value tcp $name "$addr")" "$(captured a "tcp and src host $addr")" "tcp:::$name from $addr"
		is "$(value udp $name "$addr")" "$(captured a "udp and src host $addr")" "udp:::$name from $addr"
	done
done
for addr in "$a4" "$a6"; do
	is "$(value dtbr "$addr")" "$(captured a "src host $addr")" "packets from $addr came in on the bridge"
	is "$(value dtb "$addr")" 0 "and not on its port"
done

done_testing
