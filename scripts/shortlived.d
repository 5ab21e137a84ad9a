#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * shortlived.d: the time of processes that begin and end while it runs, by program and by parent
 *
 * usage: dtrace -s shortlived.d
 *
 * example: shortlived.d
 *
 *	short lived processes:      9.397 secs
 *	total sample duration:      3.166 secs
 *
 *	Total time by process name,
 *	               cat            3 ms
 *	             sleep          791 ms
 *
 *	Total time by PPID,
 */
#pragma D option quiet

dtrace:::BEGIN
{
	printf("Tracing... Hit Ctrl-C to stop.\n");
	begin = timestamp;
	total = 0;
}

proc:::create
{
	made[args[0]->pr_pid] = timestamp;
}

proc:::exit
/made[pid] != 0/
{
	this->time = timestamp - made[pid];
	@by_name[execname] = sum(this->time);
	@by_parent[ppid] = sum(this->time);
	total += this->time;
	made[pid] = 0;
}

dtrace:::END
{
	this->all = timestamp - begin;
	printf("short lived processes: %6d.%03d secs\n", total / 1000000000,
	    total % 1000000000 / 1000000);
	printf("total sample duration: %6d.%03d secs\n", this->all / 1000000000,
	    this->all % 1000000000 / 1000000);
	normalize(@by_name, 1000000);
	normalize(@by_parent, 1000000);
	printf("\nTotal time by process name,\n");
	printa("%18s %@12d ms\n", @by_name);
	printf("\nTotal time by PPID,\n");
	printa("%18d %@12d ms\n", @by_parent);
}
