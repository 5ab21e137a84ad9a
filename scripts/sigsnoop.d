#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sigsnoop.d: signals sent and received: by kill(2) or in any other way, and what becomes of them
 *
 * usage: dtrace -s sigsnoop.d
 *
 *	PID	the process that sends or receives
 *	COMMAND	its name
 *	EVENT	what becomes of the signal
 *	SIG	its number
 *	TO	the process that it is sent to
 *	TARGET	the name of that
 *
 * example: sigsnoop.d
 *	    PID COMMAND         EVENT      SIG      TO TARGET
 *	  29315 sh              sends       10   29315 sh
 *	  29315 sh              handles     10
 */
#pragma D option quiet
#pragma D option switchrate=10hz

dtrace:::BEGIN
{
	printf("%7s %-15s %-10s %3s %7s %s\n", "PID", "COMMAND", "EVENT", "SIG", "TO", "TARGET");
}

proc:::signal-send
{
	printf("%7d %-15s %-10s %3d %7d %s\n", pid, execname, "sends", args[2], args[1]->pr_pid,
	    args[1]->pr_fname);
}

proc:::signal-discard
{
	printf("%7d %-15s %-10s %3d\n", args[1]->pr_pid, args[1]->pr_fname, "ignores", args[2]);
}

proc:::signal-handle
{
	printf("%7d %-15s %-10s %3d\n", pid, execname, "handles", args[0]);
}

proc:::signal-clear
{
	printf("%7d %-15s %-10s %3d\n", pid, execname, "waited for", args[0]);
}

proc:::fault
{
	printf("%7d %-15s %-10s %3d at %p\n", pid, execname, "faults", args[1]->si_signo,
	    args[1]->si_addr);
}
