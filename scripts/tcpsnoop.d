#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tcpsnoop.d: every TCP segment sent and received, with the process that owns the socket (-1: none)
 *
 * usage: dtrace -s tcpsnoop.d
 *
 *	TIME	microseconds since the start of the machine
 *	PID	the process that has the socket, -1: none
 *	LADDR:PORT	the local address
 *	RADDR:PORT	the remote address
 *	BYTES	bytes of data
 *	FLAGS	the flags of the segment
 *
 * example: tcpsnoop.d
 *	  TIME          PID           LADDR:PORT                 RADDR:PORT   BYTES FLAGS
 *	  5937209506  26589       127.0.0.1:45254  ->        127.0.0.1:18080      0 (SYN)
 *	  5937209648  26544       127.0.0.1:18080  <-        127.0.0.1:45254      0 (SYN)
 *	  5937209680  26544       127.0.0.1:18080  ->        127.0.0.1:45254      0 (SYN|ACK)
 *	  5937209683  26589       127.0.0.1:45254  <-        127.0.0.1:18080      0 (SYN|ACK)
 *	  5937209708  26589       127.0.0.1:45254  ->        127.0.0.1:18080      0 (ACK)
 *	  5937209710  26544       127.0.0.1:18080  <-        127.0.0.1:45254      0 (ACK)
 *	  5937210494  26589       127.0.0.1:45254  ->        127.0.0.1:18080     83 (PUSH|ACK)
 *	  5937210499  26544       127.0.0.1:18080  <-        127.0.0.1:45254     83 (PUSH|ACK)
 */
#pragma D option quiet
#pragma D option switchrate=10hz

/* A flag, after a bar if it is not the first flag. Flags are in the order of their bits. */
inline string flag[int flags, int bit, string first, string other] =
    (flags & bit) == 0 ? "" : (flags & (bit - 1)) == 0 ? first : other;

dtrace:::BEGIN
{
	printf("%6s %12s %15s:%-5s      %15s:%-5s %6s %s\n", "TIME", "PID", "LADDR", "PORT", "RADDR",
	    "PORT", "BYTES", "FLAGS");
}

tcp:::send
{
	this->length = args[2]->ip_plength - args[4]->tcp_offset;
	printf("%12d %6d %15s:%-5d  ->  %15s:%-5d %6d (", timestamp / 1000, args[1]->cs_pid,
	    args[2]->ip_saddr, args[4]->tcp_sport, args[2]->ip_daddr, args[4]->tcp_dport,
	    this->length);
}

tcp:::receive
{
	this->length = args[2]->ip_plength - args[4]->tcp_offset;
	printf("%12d %6d %15s:%-5d  <-  %15s:%-5d %6d (", timestamp / 1000, args[1]->cs_pid,
	    args[2]->ip_daddr, args[4]->tcp_dport, args[2]->ip_saddr, args[4]->tcp_sport,
	    this->length);
}

tcp:::send, tcp:::receive
{
	this->flags = args[4]->tcp_flags & 0xff;
	printf("%s%s%s%s%s%s%s%s%s)\n", this->flags == 0 ? "null" : "",
	    flag[this->flags, TH_FIN, "FIN", "|FIN"],
	    flag[this->flags, TH_SYN, "SYN", "|SYN"],
	    flag[this->flags, TH_RST, "RST", "|RST"],
	    flag[this->flags, TH_PUSH, "PUSH", "|PUSH"],
	    flag[this->flags, TH_ACK, "ACK", "|ACK"],
	    flag[this->flags, TH_URG, "URG", "|URG"],
	    flag[this->flags, TH_ECE, "ECE", "|ECE"],
	    flag[this->flags, TH_CWR, "CWR", "|CWR"]);
}
