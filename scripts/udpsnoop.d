#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * udpsnoop.d: every UDP datagram sent and received, with the process that owns the socket
 *
 * usage: dtrace -s udpsnoop.d
 *
 *	TIME	microseconds since the machine was started
 *	PID	the process that has the socket, -1: none
 *	LADDR:PORT	the address here
 *	RADDR:PORT	the address there
 *	BYTES	bytes of the datagram with its header
 *
 * example: udpsnoop.d
 *	        TIME      PID                LADDR:PORT    RADDR:PORT                 BYTES
 *	 77217721448     1608           127.0.0.1:47078 ->           127.0.0.1:53        60
 *	 77217721545       -1           127.0.0.1:53    <-           127.0.0.1:47078     60
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
