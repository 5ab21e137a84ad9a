#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# mib-lost.t: counters of losses and of bytes, compared with nstat and the program's own counts.
#
# guests: none
# needs: ping python3
. "${0%/*}/lib.sh"

net_up
stack=$(stack_of b)
mine="(args[1] == $(stack_of a) || args[1] == $stack)"
cat >"$work/lost.py" <<'P'
import socket, struct, sys
a = sys.argv[1]
f = socket.AF_INET6 if ':' in a else socket.AF_INET
# A receive buffer for a few datagrams.
r = socket.socket(f, socket.SOCK_DGRAM); r.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096); r.bind((a, 7373))
s = socket.socket(f, socket.SOCK_DGRAM)
for i in range(40):
    s.sendto(b'm' * 200, (a, 7373))
# A datagram with a wrong checksum, from a raw socket.
raw = socket.socket(f, socket.SOCK_RAW, 17)
n = socket.socket(f, socket.SOCK_DGRAM); n.bind((a, 7374))
raw.sendto(struct.pack('!HHHH', 7375, 7374, 12, 0x1234) + b'lost', (a, 0))
n.settimeout(.2)
try:
    n.recv(100)
except OSError:
    pass
# More connections than a listener's queue holds.
l = socket.socket(f); l.bind((a, 7474)); l.listen(1); c = []
for i in range(6):
    k = socket.socket(f); k.setblocking(False); k.connect_ex((a, 7474)); c.append(k)
P
names='udpInErrors UdpInErrors Udp6InErrors udpInCksumErrs UdpInCsumErrors Udp6InCsumErrors udpInOverflows UdpRcvbufErrors
	Udp6RcvbufErrors tcpListenDrop TcpExtListenOverflows ipIfStatsHCInOctets IpExtInOctets Ip6InOctets ipIfStatsHCOutOctets IpExtOutOctets
	Ip6OutOctets rawipOutDatagrams'
program=
for name in $names; do
	program+="mib:::$name /args[1] == $stack/ { @[probename] = sum(args[0]); }"$'\n'
done
dtrace_start -n "$program" || done_testing
in_net b nstat -asz >"$work/before"
for addr in "$b4" "$b6"; do
	on b python3 "$work/lost.py" "$addr" || ok "the program" false
done
in_net b nstat -asz >"$work/after"
dtrace_stop
# grown NAME...: prints the total growth of these counters of nstat.
grown() {
	awk -v names=" $* " 'index(names, " " $1 " ") { n += FILENAME ~ /after$/ ? $2 : -$2 } END { print n + 0 }' \
		"$work/before" "$work/after"
}
for name in UdpInErrors Udp6InErrors UdpInCsumErrors Udp6InCsumErrors UdpRcvbufErrors Udp6RcvbufErrors TcpExtListenOverflows \
	IpExtInOctets Ip6InOctets IpExtOutOctets Ip6OutOctets; do
	positive "$(grown $name)" "there were such: $name"
	is "$(value $name)" "$(grown $name)" "mib:::$name is what nstat counts"
done
is "$(value udpInErrors)" "$(grown UdpInErrors Udp6InErrors)" "mib:::udpInErrors"
is "$(value udpInCksumErrs)" "$(grown UdpInCsumErrors Udp6InCsumErrors)" "mib:::udpInCksumErrs"
is "$(value udpInOverflows)" "$(grown UdpRcvbufErrors Udp6RcvbufErrors)" "mib:::udpInOverflows"
is "$(value tcpListenDrop)" "$(grown TcpExtListenOverflows)" "mib:::tcpListenDrop"
is "$(value ipIfStatsHCInOctets)" "$(grown IpExtInOctets Ip6InOctets)" "mib:::ipIfStatsHCInOctets"
is "$(value ipIfStatsHCOutOctets)" "$(grown IpExtOutOctets Ip6OutOctets)" "mib:::ipIfStatsHCOutOctets"
is "$(value rawipOutDatagrams)" 2 "mib:::rawipOutDatagrams counts datagrams of the program"

# Without cookies, SYNs whose answer nobody takes fill the queue of a listener: all but the first are dropped.
cat >"$work/syns.py" <<'P'
import socket, struct, sys
src, dst = sys.argv[1:]
l = socket.socket(); l.bind((dst, 7475)); l.listen(1)
raw = socket.socket(socket.AF_INET, socket.SOCK_RAW, 6); raw.setsockopt(0, socket.IP_HDRINCL, 1)
for port in range(5000, 5004):
    tcp = struct.pack('!HHIIBBHHH', port, 7475, 1, 0, 5 << 4, 2, 1000, 0, 0)
    part = socket.inet_aton(src) + socket.inet_aton(dst) + struct.pack('!HH', 6, 20) + tcp
    n = sum(struct.unpack('!16H', part))
    n = (n & 0xffff) + (n >> 16)
    tcp = tcp[:16] + struct.pack('!H', ~(n + (n >> 16)) & 0xffff) + tcp[18:]
    ip = struct.pack('!BBHHHBBH4s4s', 0x45, 0, 40, 0, 0, 64, 6, 0, socket.inet_aton(src), socket.inet_aton(dst))
    raw.sendto(ip + tcp, (dst, 0))
P
in_net b sysctl -qw net.ipv4.tcp_syncookies=0
in_net b sysctl -qw net.ipv4.conf.all.rp_filter=0 net.ipv4.conf.lo.rp_filter=0 net.ipv4.conf.lo.accept_local=1
nc_start b 9000
dtrace_start -n "mib:::tcpListenDropQ0, mib:::tcpOutDataBytes, mib:::tcpRetransBytes, mib:::tcpInData*Bytes /$mine/ {
	@[probename] = sum(args[0]); }"
traffic_run 4 hello bulk
in_net b python3 "$work/syns.py" "$dead4" "$b4"
neigh="ip neigh replace $b4 dev dta nud permanent lladdr 02:00:00:00:00"
on a bash -c "exec 3<>/dev/tcp/$b4/9000; $neigh:99; echo 123456 >&3; sleep 0.5; $neigh:02; sleep 1
	ss -Htin dport = :9000 >$work/ss"
dtrace_stop tcp_probe
is "$(value tcpListenDropQ0)" 3 "mib:::tcpListenDropQ0"
is "$(value tcpOutDataBytes)" 2000207 "mib:::tcpOutDataBytes is what was written"
again=$(sed -n 's/.*bytes_retrans:\([0-9]*\).*/\1/p' "$work/ss")
is "$(value tcpInDataInorderBytes)" 2000207 "mib:::tcpInDataInorderBytes, too"
is "$(value tcpInDataUnorderBytes)" 0 "nothing came too early"
positive "$again" "bytes were sent again"
# On a busy machine answers are late, and senders on other connections send bytes again, which arrive twice.
is "$(($(value tcpRetransBytes) - $(value tcpInDataDupBytes)))" "$again" "mib:::tcpRetransBytes is what ss says, besides what came twice"

# The first bytes get lost, and the next arrive before them.  Then an answer gets lost, so that bytes arrive twice.
back="ip -n $ns_b neigh replace $a4 dev dtb nud permanent lladdr 02:00:00:00:00"
dtrace_start -n "mib:::tcpInData*Bytes /args[1] == $stack/ { @[probename] = sum(args[0]); }"
on a bash -c "exec 3<>/dev/tcp/$b4/9000; $neigh:99; echo 123456 >&3; $neigh:02; echo 78 >&3; sleep 1
	$back:99; echo 9ab >&3; sleep 0.5; $back:01; sleep 1"
dtrace_stop tcp_probe
is "$(value tcpInDataInorderBytes) $(value tcpInDataUnorderBytes)" "11 3" "mib:::tcpInDataUnorderBytes came too early"
positive "$(value tcpInDataDupBytes)" "mib:::tcpInDataDupBytes came twice"
is "$(($(value tcpInDataDupBytes) % 4))" 0 "and are whole writes"

# Packets with a wrong checksum; datagrams that are too long for a device, that a policy refuses, and for which a queue has no room.
cat >"$work/refused.py" <<'P'
import socket, struct, subprocess, sys
b, unknown, answers = sys.argv[1:]
raw = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM); raw.bind(('dta', 0x800))
ip = struct.pack('!BBHHHBBH4s4s', 0x45, 0, 24, 0, 0, 64, 17, 0xbad, socket.inet_aton(b), socket.inet_aton(b)) + b'lost'
for i in range(2):
    raw.sendto(ip, ('dta', 0x800, 0, 0, bytes.fromhex('020000000002')))
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.setsockopt(0, 10, 2) # IP_MTU_DISCOVER, IP_PMTUDISC_DO
for i in range(3):
    try:
        s.sendto(b'm' * 3000, (b, 7001))
    except OSError:
        pass
for i in range(5):
    k = socket.socket(); k.setblocking(False); k.connect_ex((b, 9000)); k.close()
for i in range(400):
    s.sendto(b'm' * 1000, (unknown, 7002))
subprocess.run(answers, shell=True, check=True)
P
in_net b ip xfrm policy add dir in proto tcp dport 9000 action block
in_net b sysctl -qw net.ipv4.conf.all.arp_ignore=2
in_net b ip addr add 10.77.9.9/32 dev lo
in_net a ip route add 10.77.9.9/32 dev dta
dtrace_start -n "mib:::udpOutErrors, mib:::ipIfStats*Discards, mib:::ipIfStatsInHdrErrors /$mine/ { @[probename] = sum(args[0]); }
	mib:::ipInReceives /args[1] == $stack/ { @[probename] = sum(args[0]); }"
on a python3 "$work/refused.py" "$b4" 10.77.9.9 "ip neigh replace 10.77.9.9 dev dta nud permanent lladdr 02:00:00:00:00:02"
dtrace_stop
is "$(value ipIfStatsInHdrErrors)" 2 "mib:::ipIfStatsInHdrErrors"
is "$(value udpOutErrors)" 3 "mib:::udpOutErrors"
is "$(value ipIfStatsInDiscards)" 5 "mib:::ipIfStatsInDiscards: a policy refuses"
positive "$(value ipIfStatsOutDiscards)" "mib:::ipIfStatsOutDiscards: there is no room"
is "$(($(value ipIfStatsOutDiscards) + $(value ipInReceives)))" 407 "what is not discarded arrives"

done_testing
