#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tcptop.d: TCP payload by process and connection, every five seconds
 *
 * usage: dtrace -s tcptop.d
 *
 * The columns are the columns of the tool tcptop(1), which also prints the load of the machine.
 *
 *	ZONE	the network namespace: its inode minus 4026531840; 0 for the machine's own
 *	PID	the process that has the socket
 *	LADDR	the local address
 *	LPORT	the local port
 *	RADDR	the remote address
 *	RPORT	the remote port
 *	SIZE	bytes of data
 *
 * example: tcptop.d
 *	Sampling... Please wait.
 *	2026 Nov 23 15:28:11,  TCPin:      6 Kb,  TCPout:      6 Kb
 *
 *	  ZONE    PID LADDR           LPORT RADDR           RPORT      SIZE
 *	     0  23395 127.0.0.1       18080 127.0.0.1       46030      1614
 *	     0  23480 127.0.0.1       46030 127.0.0.1       18080      1614
 */
#pragma D option quiet

dtrace:::BEGIN
{
	printf("Sampling... Please wait.\n");
	in_bytes = 0;
	out_bytes = 0;
}

tcp:::send
/args[1]->cs_pid != -1/
{
	this->bytes = args[2]->ip_plength - args[4]->tcp_offset;
	@out[args[1]->cs_zoneid, args[1]->cs_pid, args[2]->ip_saddr, args[4]->tcp_sport,
	    args[2]->ip_daddr, args[4]->tcp_dport] = sum(this->bytes);
	out_bytes += this->bytes;
}

tcp:::receive
/args[1]->cs_pid != -1/
{
	this->bytes = args[2]->ip_plength - args[4]->tcp_offset;
	@out[args[1]->cs_zoneid, args[1]->cs_pid, args[2]->ip_daddr, args[4]->tcp_dport,
	    args[2]->ip_saddr, args[4]->tcp_sport] = sum(this->bytes);
	in_bytes += this->bytes;
}

profile:::tick-5sec
{
	printf("%Y,  TCPin: %6d Kb,  TCPout: %6d Kb\n\n", walltimestamp, in_bytes / 1024,
	    out_bytes / 1024);
	printf("%6s %6s %-15s %5s %-15s %5s %9s\n", "ZONE", "PID", "LADDR", "LPORT", "RADDR",
	    "RPORT", "SIZE");
	printa("%6d %6d %-15s %5d %-15s %5d %@9d\n", @out);
	printf("\n");
	trunc(@out);
	in_bytes = 0;
	out_bytes = 0;
}
