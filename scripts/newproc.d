#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * newproc.d: programs as they are executed, with their arguments.
 *
 * usage: dtrace -s newproc.d
 */
proc:::exec-success
{
	trace(curpsinfo->pr_psargs);
}
