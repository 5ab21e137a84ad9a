#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# pcap.t: packets written by pcap() are the sent packets, as another program reads them.
# rows: pcap -xpcapsize
# guests: 6.12
# needs: ping tcpdump
. "${0%/*}/lib.sh"

net_up

# pings FILE PROBE TYPE [OPTION...]: captures three packets to the other side into FILE.
pings() {
	local file=$1 probe=$2 args=$3
	shift 3
	dtrace_run "$@" -wqn "BEGIN { freopen(\"$file\"); }
		$probe { pcap($args); printf(\"packet\\n\"); }" \
		-c "$(type -P ip) netns exec $ns_a ping -q -c 3 -i 0.2 -s 100 $b4"
	is $status 0 "$probe: a run"
	tcpdump -Z root -n -e -r "$file" >"$work/packets" 2>"$work/packets.err"
	is $? 0 "$probe: tcpdump can read it" || note_file err "$work/packets.err"
}

# The answers are sent while ping runs, by the other device.
sent='rawtp:::net_dev_queue /pid == $target && stringof(args[0]->dev->name) == "dta"/'
pings "$work/ether" "$sent" 'args[0], PCAP_ETHER'
is "$(grep -c "02:00:00:00:00:01 > 02:00:00:00:00:02.*$a4 > $b4: ICMP echo request.*length 108" \
	"$work/packets")" 3 "frames"
is "$(grep -c '^packet$' "$work/out")" 3 "text goes to standard output once there are packets"

pings "$work/ip" "ip:::receive /args[2]->ip_daddr == \"$b4\"/" \
	'(void *)args[0]->pkt_addr, PCAP_IP'
is "$(grep -c "ip: $a4 > $b4: ICMP echo request.*length 108" "$work/packets")" 3 "packets of IP"
now=$(date +%H:%M)
before=$(date -d "@$(($(date +%s) - 60))" +%H:%M)
ok "at this time" grep -Eq "^($now|$before):" "$work/packets" || note_file packets "$work/packets"

pings "$work/short" "$sent" 'args[0], PCAP_ETHER' -x pcapsize=32
is "$(wc -c <"$work/short")" $((24 + 3 * (16 + 32))) "no more of them than pcapsize"

# The file is opened for each packet, by two runs, and the second one keeps longer packets.
for size in 64 96; do
	dtrace_run -x pcapsize=$size -wqn "$sent { freopen(\"$work/again\"); pcap(args[0], PCAP_ETHER); freopen(\"\"); }" \
		-c "$(type -P ip) netns exec $ns_a ping -q -c 3 -i 0.2 -s 100 $b4"
done
tcpdump -Z root -n -r "$work/again" >"$work/packets" 2>"$work/packets.err"
is $?$(grep -c 'ICMP echo request' "$work/packets") 06 "a file that is opened again is one capture" ||
	note_file err "$work/packets.err"
is "$(wc -c <"$work/again")" $((24 + 3 * (16 + 64) + 3 * (16 + 96))) "with one header"
dtrace_run -wqn "BEGIN { freopen(\"$work/again\"); } $sent { pcap(args[0], PCAP_IP); exit(0); }" \
	-c "$(type -P ip) netns exec $ns_a ping -q -c 1 $b4"
has "$work/err" 'could not write a packet: .* other contents' "packets of another type do not get there"
mkfifo "$work/pipe"
cat "$work/pipe" >"$work/piped" &
reader=$!
own_pids+=($reader)
dtrace_run -wqn "BEGIN { freopen(\"$work/pipe\"); } $sent { pcap(args[0], PCAP_ETHER); }" \
	-c "$(type -P ip) netns exec $ns_a ping -q -c 2 -i 0.2 $b4"
wait $reader
is "$(tcpdump -Z root -n -r "$work/piped" 2>"$work/packets.err" | grep -c 'echo request')" 2 "a pipe gets a capture, too" ||
	note_file err "$work/packets.err"

dtrace_run -x pcapsize=16 -qn "$sent { pcap(args[0], PCAP_IP); exit(0); }" \
	-c "$(type -P ip) netns exec $ns_a ping -q -c 1 $b4"
has "$work/out" '^ +0: 45 00 00 54 ' "without a file: bytes as text"

dtrace_run -qn 'BEGIN { pcap(NULL, PCAP_IP); } ERROR { printf("%d", arg4); exit(0); }'
is "$(cat "$work/out")" 1 "no packet is a fault"

done_testing
