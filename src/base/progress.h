/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * progress.h: on a terminal, a line on standard error that reports work of more than a second, and
 * its progress.  The line is removed when the work ends, or before another message.
 *
 * The program mostly waits in a system call or a library, so a thread shows the line.  The thread
 * exists only between start and stop, and only on a terminal.
 */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

void progress_start(const char *progname);
void progress_stop(void);

/* Reports the current work (a lasting string), and its progress; all 0: unknown. */
void progress_at(const char *what, unsigned long done, unsigned long all);

/* Hides the line before other output. */
void progress_hide(void);

#endif
