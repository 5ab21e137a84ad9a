#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * udpsnoop.d: every UDP datagram sent and received, with the process that owns the socket
 *
 * usage: dtrace -s udpsnoop.d
 *
 *	TIME	microseconds since the start of the machine
 *	PID	the process that has the socket, -1: none
 *	LADDR:PORT	the local address
 *	RADDR:PORT	the remote address
 *	BYTES	bytes of the datagram with its header
 *
 * example: udpsnoop.d
 *	  TIME          PID           LADDR:PORT                 RADDR:PORT   BYTES
 *	  4141951061   1516       127.0.0.1:60594  ->        127.0.0.1:5353      60
 *	  4141951069   1516       127.0.0.1:5353   <-        127.0.0.1:60594     60
 */
#pragma D option quiet
#pragma D option switchrate=10hz

dtrace:::BEGIN
{
	printf("%6s %12s %15s:%-5s      %15s:%-5s %6s\n", "TIME", "PID", "LADDR", "PORT", "RADDR",
	    "PORT", "BYTES");
}

udp:::send
{
	printf("%12d %6d %15s:%-5d  ->  %15s:%-5d %6d\n", timestamp / 1000, args[1]->cs_pid,
	    args[2]->ip_saddr, args[4]->udp_sport, args[2]->ip_daddr, args[4]->udp_dport,
	    args[4]->udp_length);
}

udp:::receive
{
	printf("%12d %6d %15s:%-5d  <-  %15s:%-5d %6d\n", timestamp / 1000, args[1]->cs_pid,
	    args[2]->ip_daddr, args[4]->udp_dport, args[2]->ip_saddr, args[4]->udp_sport,
	    args[4]->udp_length);
}
