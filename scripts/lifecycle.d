#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lifecycle.d: the life of each process, from its creation to its end
 *
 * usage: dtrace -s lifecycle.d
 *
 *	TIME(ms)	milliseconds since it began
 *	PID	the process
 *	PPID	its parent
 *	EVENT	what happens
 *	WHAT	its program, or how it ends
 *
 * example: lifecycle.d
 *	  TIME(ms)     PID    PPID EVENT    WHAT
 *	      1225   25408   23784 executes bash -c cat /etc/hostname /nonexistent; sleep 0.2; true
 *	      1228   25409   25408 created  bash -c cat /etc/hostname /nonexistent; sleep 0.2; true
 *	      1228   25409   25408 tries    /usr/bin/cat
 *	      1232   25409   25408 executes cat /etc/hostname /nonexistent
 *	      1238   25410   25408 created  bash -c cat /etc/hostname /nonexistent; sleep 0.2; true
 *	      1238   25410   25408 tries    /usr/bin/sleep
 *	      1238   25410   25408 executes sleep 0.2
 */
#pragma D option quiet
#pragma D option switchrate=10hz

dtrace:::BEGIN
{
	begin = timestamp;
	printf("%10s %7s %7s %-8s %s\n", "TIME(ms)", "PID", "PPID", "EVENT", "WHAT");
}

proc:::create
{
	made[args[0]->pr_pid] = timestamp;
	printf("%10d %7d %7d %-8s %s\n", (timestamp - begin) / 1000000, args[0]->pr_pid,
	    args[0]->pr_ppid, "created", args[0]->pr_psargs);
}

proc:::start
{
	printf("%10d %7d %7d %-8s %s\n", (timestamp - begin) / 1000000, pid, ppid, "starts", execname);
}

proc:::exec
{
	printf("%10d %7d %7d %-8s %s\n", (timestamp - begin) / 1000000, pid, ppid, "tries",
	    stringof(args[0]));
}

proc:::exec-failure
{
	printf("%10d %7d %7d %-8s error %d\n", (timestamp - begin) / 1000000, pid, ppid, "fails",
	    args[0]);
}

proc:::exec-success
{
	printf("%10d %7d %7d %-8s %s\n", (timestamp - begin) / 1000000, pid, ppid, "executes",
	    curpsinfo->pr_psargs);
}

proc:::exit
{
	this->how = args[0] == CLD_EXITED ? "exited" : args[0] == CLD_KILLED ? "killed" : "dumped core";
	this->time = made[pid] == 0 ? -1 : (int64_t)((timestamp - made[pid]) / 1000000);
	printf("%10d %7d %7d %-8s %s, %d ms\n", (timestamp - begin) / 1000000, pid, ppid, "ends",
	    this->how, this->time);
	made[pid] = 0;
}
