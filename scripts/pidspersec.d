#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pidspersec.d: processes that are made, each second, and the last of them
 *
 * usage: dtrace -s pidspersec.d
 *
 *	TIME	the time
 *	LASTPID	the last process that was made
 *	PID/s	how many of a second
 *
 * example: pidspersec.d
 *	   TIME                        LASTPID      PID/s
 *	   2026 Nov 23 15:27:17          26010         32
 *	   2026 Nov 23 15:27:18          26044         34
 *	   2026 Nov 23 15:27:19          26075         31
 */
#pragma D option quiet

dtrace:::BEGIN
{
	printf("   %-22s %12s %10s\n", "TIME", "LASTPID", "PID/s");
	made = 0;
	last = 0;
}

proc:::create
{
	last = args[0]->pr_pid;
	made++;
}

profile:::tick-1sec
{
	printf("   %-22Y %12d %10d\n", walltimestamp, last, made);
	made = 0;
}
