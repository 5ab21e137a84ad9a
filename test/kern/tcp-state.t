#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# tcp-state.t: the states of a connection, at both ends, by name.
#
# guests: 6.1
# needs: ping
. "${0%/*}/lib.sh"

# sequence LOCAL-ADDRESS: prints the states in their order, of the connections of this side.  The server's first
# step is left out, because older kernels do not know the peer's port in it.  A second socket is left out, too: two
# processors can make one when the last segments of the handshake come close together.  One of the two is closed at
# once.
sequence() {
	awk -v addr="$1" '$1 == "state" && $2 == addr { printf "%s%s>%s", sep, $4, $5; sep = " " }' \
		"$work/out" | sed -e 's/state-listen>state-syn-received //g' \
		-e 's/state-syn-received>state-closed //'
}

program() {
	cat <<-EOD
	tcp:::state-change /$(ours 'args[3]->tcps_raddr')/
	{ printf("state %s %d %s %s\\n", args[3]->tcps_laddr, args[3]->tcps_rport,
	    tcp_state_string[args[5]->tcps_state], tcp_state_string[args[3]->tcps_state]); }
	EOD
}

net_up
for family in 4 6; do
	[ $family = 4 ] && client=$a4 server=$b4 || client=$a6 server=$b6
	dtrace_start -q -n "$(program)" || done_testing
	traffic_run $family hello
	dtrace_stop
	is "$(sequence "$client")" "state-closed>state-syn-sent state-syn-sent>state-established \
state-established>state-fin-wait-1 state-fin-wait-1>state-fin-wait-2 state-fin-wait-2>state-time-wait" \
		"IPv$family: the client closes first"
	has "$work/out" "^state $client 7001 state-syn-sent state-established$" "IPv$family: the remote port"
	is "$(sequence "$server")" \
		"state-syn-received>state-established state-established>state-close-wait \
state-close-wait>state-last-ack state-last-ack>state-closed" "IPv$family: the server closes last"

	dtrace_start -q -n "$(program)" || done_testing
	traffic_run $family half-closed
	dtrace_stop
	is "$(sequence "$client")" "state-closed>state-syn-sent state-syn-sent>state-established \
state-established>state-fin-wait-1 state-fin-wait-1>state-fin-wait-2 state-fin-wait-2>state-time-wait" \
		"IPv$family: a client that closes after a shutdown"

	dtrace_start -q -n "$(program)" || done_testing
	traffic_run $family refused
	dtrace_stop
	is "$(sequence "$client")" "state-closed>state-syn-sent state-syn-sent>state-closed" \
		"IPv$family: a refused connection"

	dtrace_start -q -n "$(program)" || done_testing
	traffic_run $family reset-linger
	dtrace_stop
	is "$(sequence "$client")" "state-closed>state-syn-sent state-syn-sent>state-established \
state-established>state-closed" "IPv$family: the client resets the connection"
	is "$(sequence "$server")" \
		"state-syn-received>state-established state-established>state-closed" \
		"IPv$family: the server gets the reset"
done

done_testing
