#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tcpsnoop.d: every TCP segment sent and received, with the process that owns the socket (-1: none)
 *
 * usage: dtrace -s tcpsnoop.d
 *
 *	TIME	microseconds since the machine was started
 *	PID	the process that has the socket, -1: none
 *	LADDR:PORT	the address here
 *	RADDR:PORT	the address there
 *	BYTES	bytes of data
 *	FLAGS	those of the segment
 *
 * example: tcpsnoop.d
 *	        TIME      PID                LADDR:PORT    RADDR:PORT                 BYTES FLAGS
 *	 77201555130    31884           127.0.0.1:50206 ->           127.0.0.1:18080      0 (SYN)
 *	 77201555147    23395           127.0.0.1:18080 <-           127.0.0.1:50206      0 (SYN)
 *	 77201555156    23395           127.0.0.1:18080 ->           127.0.0.1:50206      0 (SYN|ACK)
 *	 77201555158    31884           127.0.0.1:50206 <-           127.0.0.1:18080      0 (SYN|ACK)
 *	 77201555170    31884           127.0.0.1:50206 ->           127.0.0.1:18080      0 (ACK)
 *	 77201555171    23395           127.0.0.1:18080 <-           127.0.0.1:50206      0 (ACK)
 *	 77201560395    31884           127.0.0.1:50206 ->           127.0.0.1:18080     79 (PUSH|ACK)
 *	 77201560404    23395           127.0.0.1:18080 <-           127.0.0.1:50206     79 (PUSH|ACK)
 *	...
 */
#pragma D option quiet
#pragma D option switchrate=10hz

dtrace:::BEGIN
{
	printf("%12s %8s %25s    %-25s %6s %s\n", "TIME", "PID", "LADDR:PORT", "RADDR:PORT",
	    "BYTES", "FLAGS");
}

tcp:::send
{
	this->length = args[2]->ip_plength - args[4]->tcp_offset;
	printf("%12d %8d %19s:%-5d -> %19s:%-5d %6d (", timestamp / 1000, args[1]->cs_pid,
	    args[2]->ip_saddr, args[4]->tcp_sport, args[2]->ip_daddr, args[4]->tcp_dport,
	    this->length);
}

tcp:::receive
{
	this->length = args[2]->ip_plength - args[4]->tcp_offset;
	printf("%12d %8d %19s:%-5d <- %19s:%-5d %6d (", timestamp / 1000, args[1]->cs_pid,
	    args[2]->ip_daddr, args[4]->tcp_dport, args[2]->ip_saddr, args[4]->tcp_sport,
	    this->length);
}

tcp:::send, tcp:::receive
{
	printf("%s%s%s%s%s%s%s%s\n",
	    args[4]->tcp_flags & TH_FIN ? "FIN|" : "",
	    args[4]->tcp_flags & TH_SYN ? "SYN|" : "",
	    args[4]->tcp_flags & TH_RST ? "RST|" : "",
	    args[4]->tcp_flags & TH_PUSH ? "PUSH|" : "",
	    args[4]->tcp_flags & TH_ACK ? "ACK|" : "",
	    args[4]->tcp_flags & TH_URG ? "URG|" : "",
	    args[4]->tcp_flags & TH_ECE ? "ECE|" : "",
	    args[4]->tcp_flags & TH_CWR ? "CWR|)" : args[4]->tcp_flags == 0 ? "null)" : "\b)");
}
