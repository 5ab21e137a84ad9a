#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * runqlat.d: how long threads wait in run queues until a processor takes them
 *
 * usage: dtrace -s runqlat.d [seconds]
 *
 * Microseconds, by processor; a thread that is moved to another queue begins there anew.
 *
 *	seconds	how long; else until an interrupt
 *
 * example: runqlat.d 1
 *	Tracing run queues... Hit Ctrl-C to end.
 *
 *	     CPU: 1
 *
 *	           value  ------------- Distribution ------------- count
 *	              -1 |                                         0
 *	               0 |@@@                                      443
 *	               1 |@@@@@@@@@                                1264
 *	               2 |@@@@                                     506
 *	...
 */
#pragma D option quiet
#pragma D option defaultargs

uint64_t since[uintptr_t];

dtrace:::BEGIN
{
	printf("Tracing run queues... Hit Ctrl-C to end.\n");
	left = $1 ? $1 : -1;
}

sched:::enqueue
{
	since[args[0]->pr_addr] = timestamp;
}

sched:::dequeue
/since[args[0]->pr_addr]/
{
	@waits[args[2]->cpu_id] = quantize((timestamp - since[args[0]->pr_addr]) / 1000);
	since[args[0]->pr_addr] = 0;
}

profile:::tick-1s
/left > 0 && --left == 0/
{
	exit(0);
}

dtrace:::END
{
	printa("\n     CPU: %d\n%@d", @waits);
}
