#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tcpconnlat.d: the time from the SYN of an outbound connection to the answer, by remote address
 *
 * usage: dtrace -s tcpconnlat.d
 *
 * example: tcpconnlat.d
 *
 *
 *	  connect latency (us)                                127.0.0.1
 *	           value  ------------- Distribution ------------- count
 *	               8 |                                         0
 *	              16 |@@@@@@@@@@@@                             4
 *	              32 |@@@@@@@@@@@@@@@@@@@@@@@@@                8
 *	              64 |@@@                                      1
 *	             128 |                                         0
 *	...
 */
#pragma D option quiet

tcp:::connect-request
{
	start[args[1]->cs_cid] = timestamp;
}

tcp:::connect-established
/start[args[1]->cs_cid]/
{
	@latency["connect latency (us)", args[3]->tcps_raddr] =
	    quantize((timestamp - start[args[1]->cs_cid]) / 1000);
	start[args[1]->cs_cid] = 0;
}

tcp:::connect-refused
/start[args[1]->cs_cid]/
{
	@refused["refused after (us)", args[3]->tcps_raddr] =
	    quantize((timestamp - start[args[1]->cs_cid]) / 1000);
	start[args[1]->cs_cid] = 0;
}
