#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pridist.d: the priorities with which processes run, sampled 1001 times a second
 *
 * usage: dtrace -s pridist.d [seconds]
 *
 *	seconds	how long; else until an interrupt
 *
 * Priorities are those of the kernel, of which less is more: 0 to 98 of real-time threads, 100 to 139 of others, by their niceness.
 *
 * example: pridist.d 3
 *	Sampling... Hit Ctrl-C to end.
 *	 CMD: gzip PID: 26175
 *
 *	           value  ------------- Distribution ------------- count
 *	             110 |                                         0
 *	             120 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 449
 *	             130 |                                         0
 *	 CMD: gzip PID: 26198
 *
 *	...
 */
#pragma D option quiet
#pragma D option defaultargs

dtrace:::BEGIN
{
	printf("Sampling... Hit Ctrl-C to end.\n");
	left = $1 ? $1 : -1;
}

profile:::profile-1001
/pid/
{
	@["CMD:", execname, "PID:", pid] = lquantize(curlwpsinfo->pr_pri, 0, 140, 10);
}

profile:::tick-1s
/left > 0 && --left == 0/
{
	exit(0);
}

dtrace:::END
{
	printa(" %s %s %s %d\n%@d\n", @);
}
