#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kill.d: signals that processes send with kill(2)
 *
 * usage: dtrace -s kill.d
 *
 *	FROM	the process that sends
 *	COMMAND	its name
 *	SIG	the number of the signal
 *	TO	the process that it is for
 *	RESULT	0, or -1 if it failed
 *
 * example: kill.d
 *	  FROM      COMMAND    SIG TO       RESULT
 *	 25321           sh     10 25321    0
 *	 25321           sh      9 4194301  -1
 */
#pragma D option quiet
#pragma D option switchrate=10hz

dtrace:::BEGIN
{
	printf("%6s %12s %6s %-8s %s\n", "FROM", "COMMAND", "SIG", "TO", "RESULT");
}

syscall::kill:entry
{
	self->target = (int)arg0;
	self->signal = (int)arg1;
	self->is_kill = 1;
}

syscall::kill:return
/self->is_kill/
{
	printf("%6d %12s %6d %-8d %d\n", pid, execname, self->signal, self->target, (int)arg1);
	self->target = 0;
	self->signal = 0;
	self->is_kill = 0;
}
