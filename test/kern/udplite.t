#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# udplite.t: the udplite provider; the udp provider ignores these datagrams.
#
# guests: 6.12
# needs: ping tcpdump
. "${0%/*}/lib.sh"

net_up
"$traffic" 4 127.0.0.1 - - udplite >"$work/trial" 2>&1 || kernel_lacks udplite
dtrace_start -n "udplite:::send, udplite:::receive /$(ours 'args[2]->ip_saddr')/
	{ @[probename, args[2]->ip_saddr, args[4]->udplite_dport] = count();
	  @coverage[\"coverage\", probename, args[2]->ip_saddr] = sum(args[4]->udplite_coverage); }
	udp:::send, udp:::receive /$(ours 'args[2]->ip_saddr')/
	{ @udp[\"udp\", probename, args[4]->udp_dport] = count(); }"
capture_start a
traffic_run 4 udplite udplite-closed udp
traffic_run 6 udplite udplite-closed udp
capture_stop a
dtrace_stop
for addr in "$a4" "$a6"; do
	for name in send receive; do
		is "$(value $name "$addr" 7021)" 1 "udplite:::$name from $addr"
		is "$(value $name "$addr" 7022)" 1 "udplite:::$name from $addr to a port nobody has"
	done
done
is "$(awk '$1 == "send" { sum += $4 } END { print sum }' "$work/out")" \
	"$(captured a "ip proto 136 or ip6 proto 136")" "udplite:::send is what tcpdump sees"
is "$(value udp send 7011)" 2 "udp:::send has the datagrams of udp"
is "$(value udp send 7021)" 0 "udp:::send does not fire for udplite"

done_testing
