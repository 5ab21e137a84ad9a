#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cswstat.d: context switches each second, and their time
 *
 * usage: dtrace -s cswstat.d
 *
 * The time is from the last moment of one thread on a processor to the first of the next.
 *
 * On Linux off-cpu and on-cpu fire side by side in the scheduler, so the time is next to nothing.
 *
 *	TIME	the time
 *	NUM	context switches of a second
 *	CSWTIME(us)	their time
 *	AVGTIME(us)	the average
 *
 * example: cswstat.d
 *	TIME                       NUM  CSWTIME(us)  AVGTIME(us)
 *	2026 Nov 23 15:26:28      9234         1565            0
 *	2026 Nov 23 15:26:29      1171          384            0
 *	2026 Nov 23 15:26:30      3868          871            0
 */
#pragma D option quiet

uint64_t start[processorid_t];

dtrace:::BEGIN
{
	printf("%-20s  %8s %12s %12s\n", "TIME", "NUM", "CSWTIME(us)", "AVGTIME(us)");
}

sched:::off-cpu
{
	start[cpu] = timestamp;
}

sched:::on-cpu
/start[cpu]/
{
	@num = count();
	@time = sum(timestamp - start[cpu]);
	@avg = avg(timestamp - start[cpu]);
	start[cpu] = 0;
}

profile:::tick-1sec
{
	normalize(@time, 1000);
	normalize(@avg, 1000);
	printf("%20Y  ", walltimestamp);
	printa("%@8d %@12d %@12d\n", @num, @time, @avg);
	clear(@num);
	clear(@time);
	clear(@avg);
}

dtrace:::END
{
	trunc(@num);
	trunc(@time);
	trunc(@avg);
}
