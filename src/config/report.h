/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * report.h: messages to the user, after the program's name, or to a user of the library; stages
 * printed by -x dump.
 */
#ifndef CONFIG_REPORT_H
#define CONFIG_REPORT_H

#include <stdbool.h>
#include <stdio.h>

struct buf;
struct diag;
struct opts;

struct report {
	const char *progname;
	FILE *file;	   /* stderr */
	bool is_shown;	   /* messages reach a terminal later, even if file is none */
	const char *about; /* the machine that messages concern; NULL: this one */
	const struct opts *opts;
	/* Gets the text of messages instead of standard error; may be NULL. */
	void (*sink)(void *ctx, const char *text);
	void *ctx;
};

void report_error(const struct report *r, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Reports an error in a D program. */
void report_diag(const struct report *r, const struct diag *dg);

/* Reports progress, with option debug. */
void report_debug(const struct report *r, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * -x dump: report_dumps() returns true if a stage is to be printed.  report_dump() prints it and
 * frees its text.
 */
bool report_dumps(const struct report *r, const char *stage);
void report_dump(const struct report *r, const char *stage, struct buf *b);

#endif
