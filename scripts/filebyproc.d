#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * filebyproc.d: files that processes open, one by one
 *
 * usage: dtrace -s filebyproc.d
 *
 *	CPU	the processor
 *	ID	the number of the probe
 *	FUNCTION:NAME	the system call, and behind it the process and the path
 *
 * example: filebyproc.d
 *	CPU     ID                    FUNCTION:NAME
 *	  1   5515                    openat:return cat /lib/x86_64-linux-gnu/libc.so.6
 *	  1   5515                    openat:return cat /etc/hostname
 *	  1   5515                    openat:return cat /nonexistent
 */
syscall::open:entry, syscall::creat:entry
{
	self->path = arg0;
}

syscall::openat:entry, syscall::openat2:entry
{
	self->path = arg1;
}

/* By now the path has been read by the kernel, so that it is in memory. */
syscall::open:return, syscall::creat:return, syscall::openat:return, syscall::openat2:return
/self->path/
{
	printf("%s %s", execname, copyinstr(self->path));
	self->path = 0;
}
