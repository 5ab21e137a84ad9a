#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kill.d: signals that processes send with kill(2): who, which, to whom, and the result (-1: it failed).
 *
 * usage: dtrace -s kill.d
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
