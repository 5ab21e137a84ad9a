#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# ip6-headers.t: datagrams and segments that follow IPv6 extension headers, compared with nstat and tcpdump.
# rows: ip6_behind
#
# guests: none
# needs: ping python3 tcpdump
. "${0%/*}/lib.sh"

net_up
cat >"$work/server.py" <<'P'
import socket, sys
u = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM); u.bind((sys.argv[1], 6010))
l = socket.socket(socket.AF_INET6); l.bind((sys.argv[1], 6011)); l.listen()
while True:
    c, _ = l.accept()
    while c.recv(1000): pass
    c.close()
P
cat >"$work/client.py" <<'P'
import socket, struct, sys
pad = bytes([0, 0, 1, 4, 0, 0, 0, 0])
HOP, RTHDR, BEFORE, DST = 54, 57, 55, 59
# A segment routing header (RFC 8754) whose only segment is the receiver: type 4, nothing left.
route = bytes([0, 2, 4, 0, 0, 0, 0, 0]) + socket.inet_pton(socket.AF_INET6, sys.argv[1])
def sock(kind, opts):
    s = socket.socket(socket.AF_INET6, kind)
    for o in opts:
        s.setsockopt(41, o, route if o == RTHDR else pad)
    return s
sizes = {(): 100, (HOP,): 200, (DST,): 300, (HOP, DST): 400, (HOP, BEFORE, RTHDR): 500}
for opts, n in sizes.items():
    try:
        u = sock(socket.SOCK_DGRAM, opts)
    except OSError:
        u = sock(socket.SOCK_DGRAM, ())
    u.sendto(b'd' * n, (sys.argv[1], 6010))
    sock(socket.SOCK_DGRAM, [o for o in opts if o != RTHDR]).sendto(b'd' * n * 10, (sys.argv[1], 6010))
for opts in (HOP,), (DST,), (HOP, DST):
    s = sock(socket.SOCK_STREAM, opts); s.connect((sys.argv[1], 6011)); s.send(b'x' * 600); s.close()
P
for what in all dtb; do
	in_net b sysctl -qw net.ipv6.conf.$what.seg6_enabled=1 2>"$work/trial"
done
routed=$([ -s "$work/trial" ]; echo $?)
start b python3 "$work/server.py" "$b6"
wait_for 20 listens b -t 6011 || ok "the server" false
stack=$(stack_of a)
names='TcpOutSegs Udp6OutDatagrams'
before=$(for name in $names; do nstat_value a "$name"; done)
dtrace_start -n "udp:::send, udp:::receive /args[4]->udp_dport == 6010 && $(ours 'args[2]->ip_saddr')/
	{ @[probename, args[4]->udp_length - 8] = count(); }
	tcp:::send, tcp:::receive /args[4]->tcp_dport == 6011 && $(ours 'args[2]->ip_saddr')/
	{ @[probename, args[4]->tcp_dport] = count(); }
	mib:::TcpOutSegs, mib:::Udp6OutDatagrams /args[1] == $stack/ { @m[probename] = sum(args[0]); }"
capture_start a
on a python3 "$work/client.py" "$b6" 2>"$work/client" || ok "the client" false
sleep 0.3
capture_stop a
dtrace_stop
note_file client "$work/client"
for size in 100 200 300 400 500; do
	is "$(value send $size)" 1 "udp:::send of $size bytes"
	is "$(value receive $size)" $((size < 500 ? 1 : routed)) "udp:::receive of $size bytes"
	for name in send receive; do
		is "$(value $name ${size}0)" 1 "udp:::$name of ${size}0 bytes"
	done
done
want=$(captured_lines a "ip6 and src host $a6" -t | grep -c '\.6011: .*Flags\|> .*6011: Flags')
positive "$want" "there were segments"
for name in send receive; do
	is "$(value $name 6011)" "$want" "tcp:::$name is the segments of the capture"
done
for name in $names; do
	is "$(value "$name")" $(($(nstat_value a "$name") - $(head -n 1 <<<"$before"))) "mib:::$name is what nstat counts"
	before=$(tail -n +2 <<<"$before")
done

done_testing
