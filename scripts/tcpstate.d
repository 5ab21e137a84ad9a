#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tcpstate.d: state changes of TCP connections, and the time in the earlier state
 *
 * usage: dtrace -s tcpstate.d
 *
 *	PID	the process that has the socket, -1: none
 *	DELTA(us)	microseconds in the earlier state
 *	LOCAL	the local address
 *	REMOTE	the remote address
 *	FROM	the earlier state
 *	TO	the new state
 *
 * example: tcpstate.d
 *	   PID    DELTA(us)                 LOCAL                REMOTE   FROM                 -> TO
 *	 32374            0       127.0.0.1:50220       127.0.0.1:18080   state-closed         -> state-s...
 *	 32374           38       127.0.0.1:50220       127.0.0.1:18080   state-syn-sent       -> state-e...
 *	 23395            0       127.0.0.1:18080       127.0.0.1:50220   state-listen         -> state-s...
 *	 23395            5       127.0.0.1:18080       127.0.0.1:50220   state-syn-received   -> state-e...
 *	 32374         2632       127.0.0.1:50220       127.0.0.1:18080   state-established    -> state-f...
 *	 23395         2621       127.0.0.1:18080       127.0.0.1:50220   state-established    -> state-c...
 *	 23395         1429       127.0.0.1:18080       127.0.0.1:50220   state-close-wait     -> state-l...
 *	 32374         1442       127.0.0.1:50220       127.0.0.1:18080   state-fin-wait-1     -> state-f...
 *	...
 */
#pragma D option quiet
#pragma D option switchrate=10hz

uint64_t last[uint64_t];

dtrace:::BEGIN
{
	printf("%6s %12s %21s %21s   %-20s -> %s\n", "PID", "DELTA(us)", "LOCAL", "REMOTE", "FROM",
	    "TO");
}

tcp:::state-change
{
	this->since = last[args[1]->cs_cid];
	printf("%6d %12d %15s:%-5d %15s:%-5d   %-20s -> %s\n", args[1]->cs_pid,
	    this->since ? (timestamp - this->since) / 1000 : 0,
	    args[3]->tcps_laddr, args[3]->tcps_lport, args[3]->tcps_raddr, args[3]->tcps_rport,
	    tcp_state_string[args[5]->tcps_state], tcp_state_string[args[3]->tcps_state]);
	last[args[1]->cs_cid] = timestamp;
}

tcp:::state-change
/args[3]->tcps_state == TCP_STATE_CLOSED || args[3]->tcps_state == TCP_STATE_TIME_WAIT/
{
	last[args[1]->cs_cid] = 0;
}
