#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vopstat.d: operations of file systems: how many, how many of them failed, and their time.
 *
 * usage: dtrace -s vopstat.d
 *
 * DEVICE is that of the file system, or its name if it has none; "-" where only a system call tells
 * of an operation.
 */
#pragma D option quiet

vfs:vop::entry
{
	self->start[probefunc] = timestamp;
}

vfs:vop::return
/self->start[probefunc] != 0/
{
	this->device = arg0 == 0 ? "-" : stringof(((struct inode *)arg0)->i_sb->s_id);
	this->time = timestamp - self->start[probefunc];
	self->start[probefunc] = 0;
	@count[this->device, probefunc] = count();
	@failed[this->device, probefunc] = sum(arg2 != 0);
	@time[this->device, probefunc] = sum(this->time);
	@avg[this->device, probefunc] = avg(this->time);
}

dtrace:::END
{
	normalize(@time, 1000);
	normalize(@avg, 1000);
	printf("%-16s %-14s %10s %10s %12s %10s\n", "DEVICE", "OPERATION", "COUNT", "FAILED",
	    "TIME(us)", "AVG(us)");
	printa("%-16s %-14s %@10u %@10u %@12u %@10u\n", @count, @failed, @time, @avg);
}
