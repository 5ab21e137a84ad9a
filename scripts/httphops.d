#!/usr/sbin/dtrace -Es
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * httphops.d: the way of an HTTP request through machines, with times
 *
 * usage: dtrace -Es httphops.d port client server
 *
 *	port	the port of the server
 *	client	the name of the client program, such as curl
 *	server	the name of the server program, such as nginx
 *
 * One program traces all machines that dtrace -E has as targets.  On this machine, the tool shows where bridges take
 * requests and pass them on.
 *
 *	TIME(us)	microseconds since the client began to connect
 *	CONN	the port of the client, which identifies the request
 *	MACHINE	the target, or host
 *	WHERE	the protocol, the device or the program
 *	WHAT	the event
 *
 * example: dtrace -E -x "target=vm=exec:dtrace --agent" -s httphops.d 18080 curl python3
 *	  TIME(us)   CONN MACHINE      WHERE            WHAT
 *	         0  37592 host         tcp              connects
 *	         0  37592 vm           tcp              connects
 *	        40  37592 host         tcp              is connected
 *	        41  37592 vm           tcp              is connected
 *	        52  37592 host         tcp              accepts
 *	        54  37592 vm           tcp              accepts
 *	        80  37592 host         curl             sendto
 *	        81  37592 vm           curl             sendto
 *	        85  37592 host         tcp send         request, 79 bytes
 *	        86  37592 host         to lo            request
 *	        88  37592 vm           tcp send         request, 79 bytes
 *	        88  37592 host         from lo          request
 *	        89  37592 host         tcp receive      request, 79 bytes
 *	...
 */
#pragma D option quiet
#pragma D option defaultargs

/* All machines share the start of a connection, by the port of the client. */
int64_t start[int];
int last;

inline struct iphdr *in = (struct iphdr *)((struct sk_buff *)arg0)->data;
inline struct iphdr *out = (struct iphdr *)(((struct sk_buff *)arg0)->data + 14);
inline struct tcphdr *tcp_in = (struct tcphdr *)((char *)in + in->ihl * 4);
inline struct tcphdr *tcp_out = (struct tcphdr *)((char *)out + out->ihl * 4);

dtrace:::BEGIN
{
	printf("%10s %6s %-12s %-16s %s\n", "TIME(us)", "CONN", "MACHINE", "WHERE", "WHAT");
}

*:tcp:::connect-request
/args[4]->tcp_dport == $1/
{
	start[args[4]->tcp_sport] = timestamp;
	last = args[4]->tcp_sport;
	printf("%10d %6d %-12s %-16s %s\n", 0, args[4]->tcp_sport, vmname, "tcp", "connects");
}

*:tcp:::connect-established
/args[4]->tcp_sport == $1 && start[args[4]->tcp_dport] != 0/
{
	printf("%10d %6d %-12s %-16s %s\n", (timestamp - start[args[4]->tcp_dport]) / 1000,
	    args[4]->tcp_dport, vmname, "tcp", "is connected");
}

*:tcp:::accept-established
/args[4]->tcp_dport == $1 && start[args[4]->tcp_sport] != 0/
{
	printf("%10d %6d %-12s %-16s %s\n", (timestamp - start[args[4]->tcp_sport]) / 1000,
	    args[4]->tcp_sport, vmname, "tcp", "accepts");
}

/* The request and the answer. */
*:tcp:::send, *:tcp:::receive
/args[4]->tcp_dport == $1 && args[2]->ip_plength > args[4]->tcp_offset &&
    start[args[4]->tcp_sport] != 0/
{
	printf("%10d %6d %-12s tcp %-12s request, %d bytes\n",
	    (timestamp - start[args[4]->tcp_sport]) / 1000, args[4]->tcp_sport, vmname, probename,
	    args[2]->ip_plength - args[4]->tcp_offset);
}

*:tcp:::send, *:tcp:::receive
/args[4]->tcp_sport == $1 && args[2]->ip_plength > args[4]->tcp_offset &&
    start[args[4]->tcp_dport] != 0/
{
	printf("%10d %6d %-12s tcp %-12s answer, %d bytes\n",
	    (timestamp - start[args[4]->tcp_dport]) / 1000, args[4]->tcp_dport, vmname, probename,
	    args[2]->ip_plength - args[4]->tcp_offset);
}

/* Devices of this machine, between the others: segments with data. */
host:rawtp:::netif_receive_skb
/((struct sk_buff *)arg0)->protocol == htons(0x800) && in->protocol == IPPROTO_TCP &&
    ntohs(tcp_in->dest) == $1 && ntohs(in->tot_len) > (in->ihl + tcp_in->doff) * 4 &&
    start[ntohs(tcp_in->source)] != 0/
{
	printf("%10d %6d %-12s from %-11s request\n", (timestamp - start[ntohs(tcp_in->source)]) / 1000,
	    ntohs(tcp_in->source), vmname, stringof(((struct sk_buff *)arg0)->dev->name));
}

host:rawtp:::netif_receive_skb
/((struct sk_buff *)arg0)->protocol == htons(0x800) && in->protocol == IPPROTO_TCP &&
    ntohs(tcp_in->source) == $1 && ntohs(in->tot_len) > (in->ihl + tcp_in->doff) * 4 &&
    start[ntohs(tcp_in->dest)] != 0/
{
	printf("%10d %6d %-12s from %-11s answer\n", (timestamp - start[ntohs(tcp_in->dest)]) / 1000,
	    ntohs(tcp_in->dest), vmname, stringof(((struct sk_buff *)arg0)->dev->name));
}

host:rawtp:::net_dev_queue
/((struct sk_buff *)arg0)->protocol == htons(0x800) && out->protocol == IPPROTO_TCP &&
    ntohs(tcp_out->dest) == $1 && ntohs(out->tot_len) > (out->ihl + tcp_out->doff) * 4 &&
    start[ntohs(tcp_out->source)] != 0/
{
	printf("%10d %6d %-12s to %-13s request\n", (timestamp - start[ntohs(tcp_out->source)]) / 1000,
	    ntohs(tcp_out->source), vmname, stringof(((struct sk_buff *)arg0)->dev->name));
}

host:rawtp:::net_dev_queue
/((struct sk_buff *)arg0)->protocol == htons(0x800) && out->protocol == IPPROTO_TCP &&
    ntohs(tcp_out->source) == $1 && ntohs(out->tot_len) > (out->ihl + tcp_out->doff) * 4 &&
    start[ntohs(tcp_out->dest)] != 0/
{
	printf("%10d %6d %-12s to %-13s answer\n", (timestamp - start[ntohs(tcp_out->dest)]) / 1000,
	    ntohs(tcp_out->dest), vmname, stringof(((struct sk_buff *)arg0)->dev->name));
}

/* System calls of the two programs in the meantime. */
*:syscall::sendto:entry, *:syscall::recvfrom:return, *:syscall::writev:entry
/(execname == $$2 || execname == $$3) && start[last] != 0/
{
	printf("%10d %6d %-12s %-16s %s\n", (timestamp - start[last]) / 1000, last, vmname, execname,
	    probefunc);
}
