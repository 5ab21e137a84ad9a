#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# tcp-segments.t: every segment sent and received, by source and by flags, compared with tcpdump: also resets,
# SYN-ACKs, answers of TIME_WAIT and unanswered SYNs.
#
# guests: none
# needs: ping python3 tcpdump ss
. "${0%/*}/lib.sh"

all_cases="hello bulk refused reset-linger reset-unread worker timewait-reuse"

# compare NAME CAPTURE ADDRESS TEXT: checks tcp:::NAME from the address.
compare() {
	local family=4 kind
	[[ $3 = *:* ]] && family=6
	is "$(value "$1" "$3")" "$(captured "$2" "tcp and src host $3")" "$4: tcp:::$1 from $3"
	for kind in syn synack rst fin; do
		is "$(value "$1" "$3" $kind)" \
			"$(captured "$2" "src host $3 and $(flags_filter $family $kind)")" \
			"$4: tcp:::$1 from $3: $kind"
	done
}

net_up
saddr=$(ours 'args[2]->ip_saddr')
program="tcp:::send, tcp:::receive /$saddr/ { @[probename, args[2]->ip_saddr] = count(); }
tcp:::send, tcp:::receive /($saddr) && (args[4]->tcp_flags & (TH_SYN | TH_ACK)) == TH_SYN/
{ @kind[probename, args[2]->ip_saddr, \"syn\"] = count(); }
tcp:::send, tcp:::receive /($saddr) && (args[4]->tcp_flags & (TH_SYN | TH_ACK)) == (TH_SYN | TH_ACK)/
{ @kind[probename, args[2]->ip_saddr, \"synack\"] = count(); }
tcp:::send, tcp:::receive /($saddr) && (args[4]->tcp_flags & TH_RST)/
{ @kind[probename, args[2]->ip_saddr, \"rst\"] = count(); }
tcp:::send, tcp:::receive /($saddr) && (args[4]->tcp_flags & TH_FIN)/
{ @kind[probename, args[2]->ip_saddr, \"fin\"] = count(); }"

for family in 4 6; do
	dtrace_start -n "$program" || done_testing
	capture_start a
	# shellcheck disable=SC2086
	traffic_run $family $all_cases
	capture_stop a
	dtrace_stop
	[ $family = 4 ] && ends="$a4 $b4" || ends="$a6 $b6"
	for addr in $ends; do
		positive "$(captured a "tcp and src host $addr")" "there are segments from $addr"
		compare send a "$addr" "between machines"
		compare receive a "$addr" "between machines"
	done
	is "$(value send "${ends#* }" rst)" 2 "a refused connection and unread data are answered by resets"

	dtrace_start -n "$program" || done_testing
	capture_start lo
	# shellcheck disable=SC2086
	traffic_local $family hello refused reset-linger reset-unread worker timewait-reuse
	capture_stop lo
	dtrace_stop
	compare send lo "${ends% *}" "on loopback"
	compare receive lo "${ends% *}" "on loopback"

	dtrace_start -n "$program" || done_testing
	capture_start a
	[ $family = 4 ] && dead=$dead4 || dead=$dead6
	traffic_to $family "$dead" - "$ns_a" dead
	capture_stop a
	dtrace_stop
	compare send a "${ends% *}" "no answer"
	is "$(value receive "${ends% *}")" 0 "what nobody receives is not received"
done

# The network doubles the last segment of handshakes: both copies count, also if they have one address in memory.
cat >"$work/double.py" <<'P'
import socket, struct, sys
src, dst = sys.argv[1:]
link = bytes.fromhex('020000000002')
raw = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(0x800))
raw.bind(('dta', 0x800))
raw.settimeout(5)
def send(port, seq, ack, flags, copies):
    part = socket.inet_aton(src) + socket.inet_aton(dst)
    tcp = struct.pack('!HHIIBBHHH', port, 9000, seq, ack, 5 << 4, flags, 1000, 0, 0)
    n = sum(struct.unpack('!16H', part + struct.pack('!HH', 6, 20) + tcp))
    n = (n & 0xffff) + (n >> 16)
    tcp = tcp[:16] + struct.pack('!H', ~(n + (n >> 16)) & 0xffff) + tcp[18:]
    ip = struct.pack('!BBHHHBBH', 0x45, 0, 40, port, 0, 64, 6, 0) + part
    n = sum(struct.unpack('!10H', ip))
    n = (n & 0xffff) + (n >> 16)
    ip = ip[:10] + struct.pack('!H', ~(n + (n >> 16)) & 0xffff) + ip[12:]
    for _ in range(copies):
        raw.sendto(ip + tcp, ('dta', 0x800, 0, 0, link))
for port in range(5000, 5020):
    send(port, 1, 0, 2, 1)
    while True:
        p = raw.recv(2000)
        if p[9] == 6 and p[12:16] == socket.inet_aton(dst) and struct.unpack('!H', p[22:24])[0] == port and p[33] == 18:
            break
    send(port, 2, struct.unpack('!I', p[24:28])[0] + 1, 16, 2)
P
in_net b python3 -c 'import socket, time; l = socket.socket(); l.bind(("", 9000)); l.listen(64); time.sleep(60)' &
own_pids+=("$!")
wait_for 10 in_net b sh -c 'ss -Htln | grep -q :9000'
dtrace_start -n "tcp:::receive /args[2]->ip_saddr == \"$dead4\" && args[4]->tcp_dport == 9000/ { @[probename] = count(); }"
on a python3 "$work/double.py" "$dead4" "$b4" || ok "the program" false
dtrace_stop
is "$(value receive)" 60 "both copies of the last segment of a handshake"

done_testing
