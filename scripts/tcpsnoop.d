#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tcpsnoop.d: every TCP segment sent and received, with the process that owns the socket (-1: none).
 *
 * usage: dtrace -s tcpsnoop.d
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
