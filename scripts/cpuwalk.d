#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cpuwalk.d: which processors each process runs on, sampled 1000 times a second
 *
 * usage: dtrace -s cpuwalk.d [seconds]
 *
 *	seconds	how long; else until an interrupt
 *
 *	PID	the process
 *	CMD	its name
 *
 * example: cpuwalk.d 3
 *	Sampling... Hit Ctrl-C to end.
 *	     PID: 23964    CMD: gzip
 *
 *	           value  ------------- Distribution ------------- count
 *	             < 0 |                                         0
 *	               0 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 980
 *	               1 |                                         0
 *	     PID: 23949    CMD: gzip
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

profile:::profile-1000hz
/pid/
{
	@sample[pid, execname] = lquantize(cpu, 0, 128, 1);
}

profile:::tick-1s
/left > 0 && --left == 0/
{
	exit(0);
}

dtrace:::END
{
	printa("\n     PID: %-8d CMD: %s\n%@d", @sample);
}
