#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bitesize.d: the sizes of disk requests, by process
 *
 * usage: dtrace -s bitesize.d
 *
 * What is written later is asked for by a thread of the kernel.
 *
 *	PID	the process
 *	CMD	its arguments
 *
 * example: bitesize.d
 *	Tracing... Hit Ctrl-C to end.
 *
 *
 *	     PID  CMD
 *	   23922  dd if=image of=/dev/null bs=16k iflag=direct
 *
 *	           value  ------------- Distribution ------------- count
 *	            8192 |                                         0
 *	           16384 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 16
 *	...
 */
#pragma D option quiet

dtrace:::BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

io:::start
{
	@size[pid, curpsinfo->pr_psargs] = quantize(args[0]->b_bcount);
}

dtrace:::END
{
	printf("\n%8s  %s\n", "PID", "CMD");
	printa("%8d  %s\n%@d\n", @size);
}
