#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# tcp-info.t: tcpsinfo_t of a connection, compared with the wire and with ss: initial sequence numbers, congestion
# windows in bytes, duplicate acknowledgements.
#
# guests: 6.12
# needs: nc ping tcpdump
. "${0%/*}/lib.sh"

# first_seq FAMILY ADDRESS PORT KIND: prints the sequence number of the only such segment of the capture.
first_seq() {
	captured_lines a "src host $2 and tcp port $3 and $(flags_filter "$1" "$4")" -S -t |
		sed -n 's/.* seq \([0-9]*\).*/\1/p' | sort -u
}

# known COLUMN LOCAL-ADDRESS PORT: prints all numbers of a column at this end, except 0, which means not yet known.
known() {
	awk -v column="$1" -v addr="$2" -v port="$3" '$1 == "isn" && $2 == addr && $column != 0 &&
		($3 == port || $4 == port) { print $column }' "$work/out" | sort -u
}

# says NAME: prints the number that follows NAME: in ss's line of the idle connection.
says() {
	sed -n "s/.* $1:\([0-9]*\).*/\1/p" "$work/ss"
}

net_up
raddr=$(ours 'args[3]->tcps_raddr')
dtrace_start -q -n "tcp:::send, tcp:::receive, tcp:::connect-established, tcp:::accept-established,
	tcp:::state-change /$raddr/
	{ printf(\"isn %s %d %d %u %u\\n\", args[3]->tcps_laddr, args[3]->tcps_lport, args[3]->tcps_rport,
	    args[3]->tcps_iss, args[3]->tcps_irs); }
	tcp:::send /$raddr && (args[4]->tcp_flags & (TH_SYN | TH_ACK)) == (TH_SYN | TH_ACK) &&
	    args[3]->tcps_lport != args[3]->tcps_rport/
	{ @[\"answer\", args[3]->tcps_snxt == args[4]->tcp_seq && args[3]->tcps_suna == args[4]->tcp_seq &&
	    args[3]->tcps_rnxt == args[4]->tcp_ack && args[3]->tcps_rack == args[4]->tcp_ack &&
	    (args[3]->tcps_rwnd > 65535 ? 65535 : args[3]->tcps_rwnd) == args[4]->tcp_window &&
	    args[3]->tcps_radv == args[3]->tcps_rack + args[3]->tcps_rwnd && args[3]->tcps_mss > 0 ? \"right\" : \"wrong\"] = count(); }
	tcp:::send /$raddr && (args[4]->tcp_flags & (TH_SYN | TH_ACK)) == TH_SYN/
	{ @[\"SYN\", args[3]->tcps_rcv_ws == 0 && args[3]->tcps_snd_ws == 0 ? \"right\" : \"wrong\"] = count(); }"
capture_start a
for family in 4 6; do
	traffic_run $family hello
	traffic_local $family self
done
capture_stop a
dtrace_stop
for segment in answer SYN; do
	positive "$(value $segment right)" "$segment: the members are those of the segment"
	is "$(value $segment wrong)" 0 "$segment: no other values"
done
for family in 4 6; do
	[ $family = 4 ] && client=$a4 server=$b4 || client=$a6 server=$b6
	syn=$(first_seq $family "$client" 7001 syn)
	synack=$(first_seq $family "$server" 7001 synack)
	is "$(known 5 "$client" 7001) $(known 6 "$client" 7001)" "$syn $synack" \
		"IPv$family: initial sequence numbers of the client"
	is "$(known 5 "$server" 7001) $(known 6 "$server" 7001)" "$synack $syn" \
		"IPv$family: initial sequence numbers of the server"
	is "$(known 5 "$client" 7010)" "$(known 6 "$client" 7010)" \
		"IPv$family: a socket connected to itself has one"
done

in_net a bash -c 'cd /proc/sys/net/ipv4 && echo 0 >tcp_slow_start_after_idle &&
	echo reno >tcp_congestion_control'
nc_start b 9000
nc_start b 9000 -6
dtrace_start -q -n "tcp:::send /$raddr && args[3]->tcps_rport == 9000/
	{ printf(\"sent %d cwnd:%d ssthresh:%d\\n\", args[2]->ip_plength - args[4]->tcp_offset,
	    args[3]->tcps_cwnd, args[3]->tcps_cwnd_ssthresh); }"
# A lost and retransmitted segment gives the first connection a threshold; the other one gets none.
lost="ip neigh replace $b4 dev dta nud permanent lladdr"
lost="$lost 02:00:00:00:00:99; echo >&3; sleep 0.5; $lost 02:00:00:00:00:02; sleep 1"
for addr in "$b4" "$b6"; do
	on a bash -c "exec 3<>/dev/tcp/$addr/9000; head -c 5000 /dev/zero >&3; sleep 0.3; $lost
		ss -Htin dport = :9000 >$work/ss; echo 123456 >&3; sleep 0.1"
	threshold=$((65535 << 14))
	[ "$(says ssthresh)" ] && threshold=$(($(says ssthresh) * $(says mss)))
	is "$(grep '^sent 7 ' "$work/out" | tail -n 1)" \
		"sent 7 cwnd:$(($(says cwnd) * $(says mss))) ssthresh:$threshold" \
		"the congestion window and its threshold, to $addr" || note_file ss "$work/ss"
	lost=
done
has "$work/out" '^sent 7 .*ssthresh:[0-9]{1,5}$' "a threshold was in force"
dtrace_stop

# Segments of one packet each, some of which get lost.
ip -n "$ns_a" link set dev dta gso_max_segs 1
if ! in_net a tc qdisc add dev dta root netem loss 4% 2>/dev/null; then
	skip "segments that get lost" "this kernel has no netem"
else
	dtrace_start -q -n "tcp:::receive /$raddr && args[3]->tcps_rport == 7002/
		{ @[\"dupacks\"] = max(args[3]->tcps_dupacks); }"
	traffic_run 4 bulk
	dtrace_stop
	positive "$(value dupacks)" "duplicate acknowledgements of what came behind a lost segment"
fi

done_testing
