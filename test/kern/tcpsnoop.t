#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# tcpsnoop.t: single segments with their process, direction, ends, size and flags.
#
# guests: none
# needs: ping tcpdump
. "${0%/*}/lib.sh"

script() {
	cat <<-EOD
	#pragma D option quiet
	#pragma D option switchrate=10hz
	dtrace:::BEGIN
	{
		printf("%12s %6s %15s:%-5s      %15s:%-5s %6s %s\n", "TIME", "PID", "LADDR", "PORT",
		    "RADDR", "PORT", "BYTES", "FLAGS");
	}
	tcp:::send, tcp:::receive
	/$(ours 'args[2]->ip_saddr')/
	{
		this->length = args[2]->ip_plength - args[4]->tcp_offset;
		this->out = probename == "send";
		printf("%12d %6d %15s:%-5d  %s  %15s:%-5d %6d (", timestamp / 1000, args[1]->cs_pid,
		    this->out ? args[2]->ip_saddr : args[2]->ip_daddr,
		    this->out ? args[4]->tcp_sport : args[4]->tcp_dport,
		    this->out ? "->" : "<-",
		    this->out ? args[2]->ip_daddr : args[2]->ip_saddr,
		    this->out ? args[4]->tcp_dport : args[4]->tcp_sport, this->length);
		printf("%s", args[4]->tcp_flags & TH_FIN ? "FIN|" : "");
		printf("%s", args[4]->tcp_flags & TH_SYN ? "SYN|" : "");
		printf("%s", args[4]->tcp_flags & TH_RST ? "RST|" : "");
		printf("%s", args[4]->tcp_flags & TH_PUSH ? "PUSH|" : "");
		printf("%s", args[4]->tcp_flags & TH_ACK ? "ACK|" : "");
		printf("%s", args[4]->tcp_flags == 0 ? "null " : "");
		printf("\b)\n");
	}
	EOD
}

# Prints the segments as PID DIRECTION BYTES FLAGS, in the order of arrival.
segments() {
	grep -E -- '(->|<-)' "$work/out" | tr -d '\b' |
		sed 's/^ *[0-9]* *\(-*[0-9]*\) .* \([<-][->]\) .* \([0-9]*\) (\(.*\)|)$/\1 \2 \3 (\4)/'
}

net_up
script >"$work/tcpsnoop.d"
for family in 4 6; do
	dtrace_start -s "$work/tcpsnoop.d" || done_testing
	traffic_local $family refused
	dtrace_stop
	client=$(traffic_pid refused client)
	# A refused connection on one machine: each segment is seen twice, and the answer has no process.
	is "$(segments | paste -sd ,)" \
		"$client -> 0 (SYN),-1 <- 0 (SYN),-1 -> 0 (RST|ACK),$client <- 0 (RST|ACK)" \
		"IPv$family: a refused connection on loopback"

	dtrace_start -s "$work/tcpsnoop.d" || done_testing
	capture_start a
	traffic_run $family hello
	capture_stop a
	dtrace_stop
	has "$work/out" '^ +TIME +PID +LADDR:PORT +RADDR:PORT +BYTES FLAGS$' "the head of the table"
	is "$(segments | grep -c -- '->')" "$(captured a tcp)" "IPv$family: segments out"
	is "$(segments | grep -c -- '<-')" "$(captured a tcp)" "IPv$family: segments in"
	is "$(segments | grep -c "^$(traffic_pid hello client) -> 100 (PUSH|ACK)")" 1 \
		"IPv$family: the client's data goes out"
	is "$(segments | grep -c "^$(traffic_pid hello server) <- 100 (PUSH|ACK)")" 1 \
		"IPv$family: and comes in at the server"
	is "$(segments | grep -c "^$(traffic_pid hello server) -> 100 (PUSH|ACK)")" 1 \
		"IPv$family: the answer goes out"
	is "$(segments | grep -c "^$(traffic_pid hello client) <- 100 (PUSH|ACK)")" 1 \
		"IPv$family: and comes in at the client"
done

done_testing
