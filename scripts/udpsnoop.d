#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * udpsnoop.d: every UDP datagram sent and received, with the process that owns the socket.
 *
 * usage: dtrace -s udpsnoop.d
 */
#pragma D option quiet
#pragma D option switchrate=10hz

dtrace:::BEGIN
{
	printf("%12s %8s %25s    %-25s %6s\n", "TIME", "PID", "LADDR:PORT", "RADDR:PORT", "BYTES");
}

udp:::send
{
	printf("%12d %8d %19s:%-5d -> %19s:%-5d %6d\n", timestamp / 1000, args[1]->cs_pid,
	    args[2]->ip_saddr, args[4]->udp_sport, args[2]->ip_daddr, args[4]->udp_dport,
	    args[4]->udp_length);
}

udp:::receive
{
	printf("%12d %8d %19s:%-5d <- %19s:%-5d %6d\n", timestamp / 1000, args[1]->cs_pid,
	    args[2]->ip_daddr, args[4]->udp_dport, args[2]->ip_saddr, args[4]->udp_sport,
	    args[4]->udp_length);
}
