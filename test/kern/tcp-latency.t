#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# tcp-latency.t: the time until connections are made, by connection id, and until the first byte.
#
# guests: 6.1
# needs: ping
. "${0%/*}/lib.sh"

net_up
dtrace_start -q -n "tcp:::connect-request /$(ours 'args[3]->tcps_raddr')/
	{ start[args[1]->cs_cid] = timestamp; }
	tcp:::connect-established /start[args[1]->cs_cid] != 0/
	{ this->ns = timestamp - start[args[1]->cs_cid];
	  @[\"connects\", args[3]->tcps_raddr] = count();
	  @max[\"microseconds\", args[3]->tcps_raddr] = max(this->ns / 1000);
	  @min[\"least\", args[3]->tcps_raddr] = min(this->ns / 1000);
	  start[args[1]->cs_cid] = 0; }
	tcp:::connect-refused /start[args[1]->cs_cid] != 0/
	{ @[\"refused\", args[3]->tcps_raddr] = count(); start[args[1]->cs_cid] = 0; }"
# 40 ms each way between the two, if the kernel can delay packets.
delay=0
in_net a tc qdisc add dev dta root netem delay 40ms 2>/dev/null && delay=40000
traffic_run 4 hello hello hello refused
traffic_run 6 hello hello hello refused
dtrace_stop
for addr in "$b4" "$b6"; do
	is "$(value connects "$addr")" 3 "3 connections to $addr were timed"
	is "$(value refused "$addr")" 1 "1 refused connection to $addr was timed"
	between "$(value least "$addr")" $((delay + 1)) $((delay + 500000)) "the fastest connection to $addr"
	between "$(value microseconds "$addr")" "$(value least "$addr")" $((delay + 1000000)) \
		"the slowest connection to $addr"
done

done_testing
