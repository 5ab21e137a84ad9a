/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * consumer.h: what actions ask of the consumer of their records, besides writing to its output.
 * src/run is behind it; an action (src/builtin/act_*.c) sees a record, its values, and this.
 */
#ifndef PLAN_CONSUMER_H
#define PLAN_CONSUMER_H

#include <stdio.h>

#include "out/value.h"
#include "plan/plan.h"

struct abi_rec;
struct out;
struct print_type;

/* The consumer while it is at one record. */
struct consumer {
	const struct consumer_ops *ops;
	void *ctx; /* its own */
	struct out *out;
	const struct abi_rec *rec;
	const struct rec_desc *desc;
	uint64_t time; /* of the firing, if an action of the record is on aggregations */
};

struct consumer_ops {
	/* Print a message; or one about the clause and probe of the record. */
	void (*message)(struct consumer *c, const char *text);
	void (*error)(struct consumer *c, const char *text);

	/* End tracing with this status. */
	void (*exit)(struct consumer *c, int status);

	/* NULL, or the reason why not.  value may be NULL. */
	const char *(*setopt)(struct consumer *c, const char *name, const char *value);

	/* The file that output has been sent to by reopen, NULL: none; that it was sent to first.
	 */
	FILE *(*reopened)(const struct consumer *c);
	FILE *(*original)(const struct consumer *c);
	/* Close the one, if there is one, and send output to f, NULL: to the first. */
	void (*reopen)(struct consumer *c, FILE *f);

	/* Aggregations as they were at the time of the firing: show them, by the format of the
	 * action if it has one; zeros; keep the n largest, n < 0 the smallest, 0 none; divide what
	 * is shown. */
	void (*printa)(struct consumer *c, const struct rec_act *act);
	void (*clear)(struct consumer *c, struct ident *agg);
	void (*trunc)(struct consumer *c, struct ident *agg, int64_t n);
	void (*normalize)(struct consumer *c, struct ident *agg, int64_t n);

	/* A type for out/print.h, and how many bytes of a value are to be shown. */
	const struct print_type *(*print_type)(struct consumer *c, struct type *t);
	uint64_t (*print_size)(const struct consumer *c);
};

/* How a value of the action is stored. */
static inline const struct item *consumer_item(const struct consumer *c, const struct rec_act *act,
					       unsigned int i)
{
	return &c->desc->items.a[act->first + i];
}

#endif
