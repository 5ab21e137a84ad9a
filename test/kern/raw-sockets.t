#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# raw-sockets.t: packets that raw sockets get as well are received once.  Segments that no connection's socket has sent
# have no socket.
#
# guests: none
# needs: ping python3
. "${0%/*}/lib.sh"

net_up
cat >"$work/raw.py" <<'P'
import socket, time
raw = [socket.socket(f, socket.SOCK_RAW, p) for f in (socket.AF_INET, socket.AF_INET6) for p in (6, 17)]
open('/proc/self/comm', 'w').write('raw')
time.sleep(100)
P
cat >"$work/send.py" <<'P'
import socket, struct, sys
s = socket.socket(socket.AF_INET, socket.SOCK_RAW, int(sys.argv[3]))
s.bind((sys.argv[1], 0))
tcp = struct.pack('!HHIIBBHHH', 7771, 7772, 1, 2, 5 << 4, 0x10, 100, 0, 0)
udp = struct.pack('!HHHH', 7771, 7772, 8, 0)
s.sendto(tcp if sys.argv[3] == '6' else udp, (sys.argv[2], 0))
P
# listens_raw: returns success if the raw sockets exist.
listens_raw() {
	[ "$(in_net b ss -Hlnw | wc -l)" = 4 ]
}

start b python3 "$work/raw.py"
wait_for 20 listens_raw || ok "raw sockets" false
stack=$(stack_of b)
names='TcpInSegs UdpInDatagrams Udp6InDatagrams'
before=$(for name in $names; do nstat_value b "$name"; done)
dtrace_start -n "tcp:::send, tcp:::receive, udp:::send, udp:::receive /$(ours 'args[2]->ip_saddr')/
	{ @[probeprov, probename, args[2]->ip_saddr] = count(); }
	tcp:::debug-input /$(ours 'args[2]->ip_saddr')/
	{ @[\"tcp\", probename, args[2]->ip_saddr] = count(); }
	mib:::TcpInSegs, mib:::UdpInDatagrams, mib:::Udp6InDatagrams /args[1] == $stack/ { @m[probename] = sum(args[0]); }"
for family in 4 6; do
	traffic_run $family hello udp
done
dtrace_stop
for addr in "$a4" "$a6"; do
	positive "$(value tcp send "$addr")" "segments from $addr"
	for name in receive debug-input; do
		is "$(value tcp $name "$addr")" "$(value tcp send "$addr")" "each is one of tcp:::$name"
	done
	is "$(value udp receive "$addr")" "$(value udp send "$addr")" "udp:::receive is udp:::send, from $addr"
done
for name in $names; do
	is "$(value "$name")" $(($(nstat_value b "$name") - $(head -n 1 <<<"$before"))) "mib:::$name is what nstat counts"
	before=$(tail -n +2 <<<"$before")
done

# The kernel answers with a raw socket of its own.  Packets of a user's raw socket have a process.
dtrace_start -qn "tcp:::send /$(ours 'args[2]->ip_saddr') && (args[4]->tcp_sport == 7003 || args[4]->tcp_sport == 7771)/
	{ printf(\"tcp %s %d %s:%d>%s:%d %s %d %d %d %d %d\\n\", args[2]->ip_saddr, args[4]->tcp_sport, args[3]->tcps_laddr,
	    args[3]->tcps_lport, args[3]->tcps_raddr, args[3]->tcps_rport, tcp_state_string[args[3]->tcps_state],
	    args[3]->tcps_addr, args[3]->tcps_mss, args[3]->tcps_rto, args[3]->tcps_retransmit, args[1]->cs_pid > 0); }
	udp:::send /$(ours 'args[2]->ip_saddr') && args[4]->udp_sport == 7771/
	{ printf(\"udp %s %d %s:%d>%s:%d %d %d\\n\", args[2]->ip_saddr, args[4]->udp_sport, args[3]->udps_laddr,
	    args[3]->udps_lport, args[3]->udps_raddr, args[3]->udps_rport, args[3]->udps_addr, args[1]->cs_pid > 0); }"
traffic_run 4 refused
traffic_run 6 refused
for proto in 6 17; do
	on a python3 "$work/send.py" "$a4" "$b4" $proto
done
dtrace_stop
for addr in "$b4" "$b6"; do
	has "$work/out" "^tcp $addr 7003 <unknown>:0><unknown>:0 state-closed 0 0 0 0 0$" "no socket sends a reset, from $addr"
done
has "$work/out" "^tcp $a4 7771 <unknown>:0><unknown>:0 state-closed 0 0 0 0 1$" "a segment of a raw socket"
has "$work/out" "^udp $a4 7771 <unknown>:0><unknown>:0 0 1$" "a datagram of a raw socket"

done_testing
