#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# packets.sh SEED COUNT: every member of the headers in args[] of ip, tcp and udp, beside a capture that tshark reads, in three namespaces under
# random traffic.  Prints what differs, and "N values compared, N of them not zero, N wrong".
. "${0%/*}/lib_net.sh"

seed=${1:-1} count=${2:-300}
witness_net

ip4='args[4]->ipv4_ihl, args[4]->ipv4_tos, args[4]->ipv4_length, args[4]->ipv4_ident, args[4]->ipv4_flags,
	args[4]->ipv4_offset, args[4]->ipv4_ttl, args[4]->ipv4_protocol, args[4]->ipv4_checksum, args[4]->ipv4_saddr,
	args[4]->ipv4_daddr'
ip6='args[5]->ipv6_tclass, args[5]->ipv6_flow, args[5]->ipv6_plen, args[5]->ipv6_nexthdr, args[5]->ipv6_hlim,
	args[5]->ipv6_saddr, args[5]->ipv6_daddr'
tcp='args[4]->tcp_sport, args[4]->tcp_dport, args[4]->tcp_seq, args[4]->tcp_ack, args[4]->tcp_offset,
	args[4]->tcp_flags, args[4]->tcp_window, args[4]->tcp_checksum, args[4]->tcp_urgent'
udp='args[4]->udp_sport, args[4]->udp_dport, args[4]->udp_length, args[4]->udp_checksum'
where=
for side in c r s; do
	where+="${where:+ || }args[3]->if_ipstack == $(stat -Lc %i "/run/netns/${ns[$side]}")"
done
ours="(args[2]->ip_ver == 4 || args[2]->ip_ver == 6) && (strstr(args[2]->ip_saddr, \"$net4.\") == args[2]->ip_saddr || strstr(args[2]->ip_saddr, \"$net6:\") == args[2]->ip_saddr)"
cat >"$work/d" <<END
ip:::send, ip:::receive /($where) && args[2]->ip_ver == 4/
{ printf("%s|%s|ip4|%d|%s|%s|%d|%d|%d|%d|%d|%d|%d|%d|%d|%s|%s\n", probename, args[3]->if_name, args[2]->ip_plength,
	args[2]->ip_saddr, args[2]->ip_daddr, $ip4); }
ip:::send, ip:::receive /($where) && args[2]->ip_ver == 6/
{ printf("%s|%s|ip6|%d|%s|%s|%d|%d|%d|%d|%d|%s|%s\n", probename, args[3]->if_name, args[2]->ip_plength,
	args[2]->ip_saddr, args[2]->ip_daddr, $ip6); }
tcp:::send, tcp:::receive /$ours/
{ printf("%s|-|tcp|%s|%s|%d|%d|%d|%d|%d|%d|%d|%d|%d\n", probename, args[2]->ip_saddr, args[2]->ip_daddr, $tcp); }
udp:::send, udp:::receive /$ours/
{ printf("%s|-|udp|%s|%s|%d|%d|%d|%d\n", probename, args[2]->ip_saddr, args[2]->ip_daddr, $udp); }
END
# The kernel cuts datagrams of UDP_SEGMENT after the capture.
export WITHOUT=udp_segment
captures=()
for side in c r s; do
	ip netns exec "${ns[$side]}" tcpdump -i any -y LINUX_SLL2 -B 32768 -U -w "$work/$side.pcap" 'ip or ip6' \
		>"$work/tcpdump.$side" 2>&1 &
	captures+=($!)
	own_pids+=($!)
	for _ in {1..100}; do
		grep -qs 'listening on' "$work/tcpdump.$side" && break
		sleep 0.1
	done
done
run_traced -qs "$work/d" -- "$load_net" "${ns[c]}" "${ns[r]}" "${ns[s]}" "$seed" "$count"
sleep 0.5
kill -INT "${captures[@]}"
wait "${captures[@]}"
for side in c r s; do
	ip -n "${ns[$side]}" -o link | awk -F': ' -v side=$side '{ sub(/@.*/, "", $2); print side, $1, $2 }'
done >"$work/devices"
"${0%/*}/packets.py" "$work"
