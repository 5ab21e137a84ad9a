#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vopstat.d: operations of file systems: how many, how many of them failed, and their time
 *
 * usage: dtrace -s vopstat.d
 *
 * DEVICE is that of the file system, or its name if it has none; "-" where only a system call tells
 * of an operation.
 *
 *	DEVICE	the device of the file system, or its name if it has none
 *	OPERATION	the operation
 *	COUNT	how often
 *	FAILED	how often it failed
 *	TIME(us)	microseconds in all of them
 *	AVG(us)	the average
 *
 * example: vopstat.d
 *
 *	DEVICE           OPERATION           COUNT     FAILED     TIME(us)    AVG(us)
 *	devtmpfs         vop_write              54          0           78          1
 *	-                vop_readlink           69         59          241          3
 *	devtmpfs         vop_close             202          0          183          0
 *	vda              vop_readdir           336          0         4769         14
 *	vda              vop_write             384          0         2077          5
 *	devtmpfs         vop_ioctl             476        476          671          1
 *	vda              vop_ioctl             797        797          931          1
 *	...
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
