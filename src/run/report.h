/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * report.h: messages to the user, with the program's name in front, or to who uses the library;
 * stages printed by -x dump.
 */
#ifndef RUN_REPORT_H
#define RUN_REPORT_H

#include <stdbool.h>
#include <stdio.h>

struct buf;
struct diag;
struct opts;

struct report {
	const char *progname;
	FILE *file;	   /* stderr */
	bool is_shown;	   /* a terminal shows it in the end, though it is none now */
	const char *about; /* the machine that it is about, NULL: this one */
	const struct opts *opts;
	/* Gets the text of messages instead of standard error; may be NULL. */
	void (*sink)(void *ctx, const char *text);
	void *ctx;
};

void report_error(const struct report *r, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* An error in a D program. */
void report_diag(const struct report *r, const struct diag *dg);

/* A message on what is being done, with option debug. */
void report_debug(const struct report *r, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* -x dump: is this stage to be printed; print it and free its text. */
bool report_dumps(const struct report *r, const char *stage);
void report_dump(const struct report *r, const char *stage, struct buf *b);

#endif
