#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# timewait.t: the last acknowledgements, sent and received when no process owns the connection.
#
# guests: 6.1
# needs: ping tcpdump
. "${0%/*}/lib.sh"

net_up
saddr=$(ours 'args[2]->ip_saddr')
dtrace_start -n "tcp:::send, tcp:::receive /$saddr && args[4]->tcp_dport == 7001 && args[4]->tcp_flags == TH_ACK/
	{ @[probename, args[2]->ip_saddr] = count(); }
	tcp:::state-change /$(ours 'args[3]->tcps_raddr')/
	{ @to[\"to\", args[3]->tcps_state == TCP_STATE_TIME_WAIT] = count(); }"
capture_start a
for _ in 1 2 3; do
	traffic_run 4 hello
	traffic_run 6 hello
done
capture_stop a
dtrace_stop
for addr in "$a4" "$a6"; do
	flags='tcp[13]'
	[ "$addr" = "$a6" ] && flags='ip6[53]'
	want=$(captured a "src host $addr and tcp dst port 7001 and $flags = 0x10")
	positive "$want" "bare acknowledgements from $addr are there"
	is "$(value send "$addr")" "$want" "bare acknowledgements sent by $addr"
	is "$(value receive "$addr")" "$want" "bare acknowledgements received from $addr"
done
is "$(in_net a ss -Htn state time-wait | grep -c .)" 6 "the client has 6 connections in TIME_WAIT"
is "$(value to 1)" 6 "state-change to TIME_WAIT"

done_testing
