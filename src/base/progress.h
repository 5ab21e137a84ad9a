/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * progress.h: at a terminal, a line on standard error that tells what takes longer than a second,
 * and how far it is.  The line is taken away when that is over, or another message comes.
 *
 * What is waited for is mostly one system call, or a library: a thread shows the line.  It is there
 * only between start and stop, and only at a terminal.
 */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

void progress_start(const char *progname);
void progress_stop(void);

/* What is done now (the string has to last), and how much of how much; all 0: nobody knows. */
void progress_at(const char *what, unsigned long done, unsigned long all);

/* Something else is going to be printed. */
void progress_hide(void);

#endif
