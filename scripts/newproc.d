#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * newproc.d: programs as they are executed, with their arguments
 *
 * usage: dtrace -s newproc.d
 *
 *	CPU	the processor
 *	ID	the number of the probe
 *	FUNCTION:NAME	the probe, and behind it the arguments
 *
 * example: newproc.d
 *	CPU     ID                    FUNCTION:NAME
 *	  0   2303                    :exec-success   bash -c cat /etc/hostname /nonexistent; sleep 0.2; ...
 *	  0   2303                    :exec-success   cat /etc/hostname /nonexistent
 *	  0   2303                    :exec-success   sleep 0.2
 */
proc:::exec-success
{
	trace(curpsinfo->pr_psargs);
}
