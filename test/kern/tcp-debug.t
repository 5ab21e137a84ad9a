#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# tcp-debug.t: the debug probes: every segment is input or output, and only a discarded segment is a drop.  Dropped
# are the SYN to a closed port, and duplicates in a connection without errors.  tcps_debug shows the sockets with
# SO_DEBUG.
#
# guests: 6.12
# needs: ping tcpdump
. "${0%/*}/lib.sh"

net_up
saddr=$(ours 'args[2]->ip_saddr')
# The reasons of all drops are shown if a check fails.
program="tcp:::debug-drop, tcp:::debug-output /$saddr/ { @[probename, args[2]->ip_saddr] = count(); }
	rawtp:::kfree_skb /args[2] > SKB_DROP_REASON_NOT_SPECIFIED/ { @why[enumname(args[2])] = count(); }"

# refusals: prints how many segments were answered with a reset: an ACK that comes after its connection has ended is one.
refusals() {
	echo $(($(nstat_value a TcpOutRsts) + $(nstat_value b TcpOutRsts)))
}

for family in 4 6; do
	[ $family = 4 ] && from=$a4 || from=$a6
	before=$(($(sent_again) + $(refusals)))
	dtrace_start -n "$program" || done_testing
	capture_start a
	traffic_run $family hello bulk
	capture_stop a
	dtrace_stop
	positive "$(captured a "tcp and src host $from")" "there are segments over IPv$family"
	is "$(value debug-output "$from")" "$(captured a "tcp and src host $from")" \
		"IPv$family: debug-output is every segment"
	errors=$(($(sent_again) + $(refusals) - before))
	between "$(value debug-drop "$from")" 0 $errors "IPv$family: no drop without an error"
	[ "$(value debug-drop "$from")" -le $errors ] || note_file "reasons of drops" "$work/out"

	dtrace_start -n "$program" || done_testing
	traffic_run $family refused
	dtrace_stop
	is "$(value debug-drop "$from")" 1 "IPv$family: the SYN to a closed port is dropped"
done

# The condition of a published script that shows the input of a connection.
dtrace_start -n "tcp:kernel::debug-input /args[0]->tcps_debug && $saddr/
	{ @[args[1]->tcp_sport == 7017 || args[1]->tcp_dport == 7017 ? \"debug\" : \"other\"] = count(); }"
capture_start a
traffic_run 4 hello debug
traffic_run 6 hello debug
capture_stop a
dtrace_stop
positive "$(captured a 'tcp port 7017')" "there are segments of sockets with SO_DEBUG"
is "$(value debug) $(value other)" "$(captured a 'tcp port 7017') 0" "tcps_debug tells them"

done_testing
