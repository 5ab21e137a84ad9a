#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * seeksize.d: how far disk requests are from one another, by process
 *
 * usage: dtrace -s seeksize.d
 *
 * The distance is that from the end of the request before, in sectors of 512 bytes.
 *
 *	PID	the process
 *	CMD	its arguments
 *
 * example: seeksize.d
 *	Tracing... Hit Ctrl-C to end.
 *
 *
 *	     PID  CMD
 *	   28275  dd if=image of=/dev/null bs=16k iflag=direct
 *
 *	           value  ------------- Distribution ------------- count
 *	              -1 |                                         0
 *	               0 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@    14
 *	...
 */
#pragma D option quiet

self uint64_t end[dev_t];

dtrace:::BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

io:::start
/args[0]->b_bcount != 0 && self->end[args[0]->b_edev] != 0/
{
	this->last = self->end[args[0]->b_edev];
	this->distance = args[0]->b_blkno > this->last ? args[0]->b_blkno - this->last :
	    this->last - args[0]->b_blkno;
	@distance[pid, curpsinfo->pr_psargs] = quantize(this->distance);
}

io:::start
/args[0]->b_bcount != 0/
{
	self->end[args[0]->b_edev] = args[0]->b_blkno + args[0]->b_bcount / 512;
}

dtrace:::END
{
	printf("\n%8s  %s\n", "PID", "CMD");
	printa("%8d  %s\n%@d\n", @distance);
}
