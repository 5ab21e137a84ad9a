#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cswstat.d: context switches each second, their time and the average, in microseconds: from the
 * last moment of one thread on a processor to the first of the next.
 *
 * usage: dtrace -s cswstat.d
 *
 * On Linux off-cpu and on-cpu fire side by side in the scheduler, so the time is next to nothing.
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
