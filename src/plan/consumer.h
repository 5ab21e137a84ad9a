/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * consumer.h: services that the consumer of records offers to actions, besides its output.
 * src/consume implements them.  An action (src/builtin/act_*.c) sees a record, its values, and this
 * interface.
 */
#ifndef PLAN_CONSUMER_H
#define PLAN_CONSUMER_H

#include <stdio.h>

#include "print/value.h"
#include "plan/plan.h"

struct abi_rec;
struct out;
struct print_type;

/* The file of freopen(), for pcap().  Zeros: it was just opened. */
struct capture {
	bool has_header;   /* of a capture */
	bool was_reported; /* packets do not belong there */
	uint32_t type;	   /* link type of its packets, if it has a header */
};

/* The consumer, while it processes one record. */
struct consumer {
	const struct consumer_ops *ops;
	void *ctx; /* owned by the consumer */
	struct out *out;
	const struct abi_rec *rec;
	const struct rec_desc *desc;
	uint64_t time; /* time of the firing, if an action of the record concerns aggregations */
};

struct consumer_ops {
	/* Print a message.  error() adds the clause and probe of the record. */
	void (*message)(struct consumer *c, const char *text);
	void (*error)(struct consumer *c, const char *text);

	/* Ends tracing with this status. */
	void (*exit)(struct consumer *c, int status);

	/* Sets an option.  Returns NULL, or the reason why it could not.  value may be NULL. */
	const char *(*setopt)(struct consumer *c, const char *name, const char *value);

	/*
	 * reopened() returns the file that output was redirected to, or NULL.  original() returns
	 * the first output file.
	 */
	FILE *(*reopened)(const struct consumer *c);
	FILE *(*original)(const struct consumer *c);
	/* Returns what pcap() knows about the redirected file; zeros after it was opened. */
	struct capture *(*capture)(const struct consumer *c);
	/* Closes the redirected file, if any, and sends output to f; NULL: to the first file. */
	void (*reopen)(struct consumer *c, FILE *f);

	/*
	 * Actions on aggregations in their state at the time of the firing.  printa() prints them,
	 * by the format of the action if it has one.  clear() sets values to zeros.  trunc() keeps
	 * the n largest, the -n smallest if n < 0, none if n is 0.  normalize() divides the shown
	 * values.
	 */
	void (*printa)(struct consumer *c, const struct rec_act *act);
	void (*clear)(struct consumer *c, struct ident *agg);
	void (*trunc)(struct consumer *c, struct ident *agg, int64_t n);
	void (*normalize)(struct consumer *c, struct ident *agg, int64_t n);

	/* Return a type for print/print.h, and the maximum number of bytes to print of a value. */
	const struct print_type *(*print_type)(struct consumer *c, struct type *t);
	uint64_t (*print_size)(const struct consumer *c);
};

/* Returns the storage of value i of the action. */
static inline const struct item *consumer_item(const struct consumer *c, const struct rec_act *act,
					       unsigned int i)
{
	return &c->desc->items.a[act->first + i];
}

#endif
