#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# big-tcp.t: lengths of packets above 64 KB, whose headers have no length, compared with the sent bytes.
#
# guests: none
# needs: ping python3
. "${0%/*}/lib.sh"

net_up
# IFLA_GSO_IPV4_MAX_SIZE 63 and IFLA_GRO_IPV4_MAX_SIZE 64 are unknown to an older ip(8).
cat >"$work/sizes.py" <<'E'
import socket, struct, sys
m = struct.pack('BxHiII', 0, 0, socket.if_nametoindex(sys.argv[1]), 0, 0) + struct.pack('HHIHHI', 8, 63, 200000, 8, 64, 200000)
s = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
s.send(struct.pack('IHHII', 16 + len(m), 16, 5, 1, 0) + m)
sys.exit(struct.unpack_from('i', s.recv(4096), 16)[0] != 0)
E
families='4 6'
for side in a b; do
	ip -n "$(ns_of $side)" link set dt$side gso_max_size 200000 gro_max_size 200000 2>/dev/null ||
		skip_all "this kernel has no packets above 64 KB"
	in_net $side python3 "$work/sizes.py" dt$side || families=6
done
[ "$families" = '4 6' ] || skip "packets of IPv4" "this kernel has none above 64 KB"

ips="$(ours 'args[2]->ip_saddr') && $(ours 'args[2]->ip_daddr')"
dtrace_start -n "tcp:::send, tcp:::receive /args[4]->tcp_dport == 7002 && $ips/
	{ @[\"sum\", probename, args[2]->ip_ver] = sum(args[2]->ip_plength - args[4]->tcp_offset);
	  @max[\"max\", probename, args[2]->ip_ver] = max(args[2]->ip_plength); }
	ip:::send, ip:::receive /$ips && args[2]->ip_plength > 65535/
	{ @same[\"large\", probename, args[2]->ip_ver, args[2]->ip_ver == 4 ?
	    args[4]->ipv4_length == args[2]->ip_plength + args[4]->ipv4_ihl :
	    args[5]->ipv6_plen == args[2]->ip_plength] = count(); }"
for family in $families; do
	traffic_run "$family" bulk
done
dtrace_stop
for family in $families; do
	for name in send receive; do
		# Retransmissions count, too: a slow answer is taken for a loss.
		between "$(value sum $name "$family")" 2000000 2200000 "IPv$family: tcp:::$name has the bytes that were sent"
		between "$(value max $name "$family")" 65536 200000 "IPv$family: the largest packet"
		positive "$(value large $name "$family" 1)" "IPv$family: there were such at ip:::$name"
		is "$(value large $name "$family" 0)" 0 "IPv$family: the header's own length at ip:::$name"
	done
done

done_testing
