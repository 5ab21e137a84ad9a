/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * opts.h: the options of a session (opts.def).
 */
#ifndef RUN_OPTS_H
#define RUN_OPTS_H

#include <stdbool.h>
#include <stdint.h>

struct arena;

enum opt {
#define OPT(name, kind, when, initial, doc) OPT_##name,
#include "run/opts.def"
#undef OPT
	OPT_MAX
};

struct opts {
	struct arena *arena;
	bool is_set[OPT_MAX];
	uint64_t num[OPT_MAX];
	const char *text[OPT_MAX]; /* as given; NULL while never set */
	bool is_active;		   /* tracing runs: only dynamic options */
};

void opts_init(struct opts *o, struct arena *a);

const char *opts_name(enum opt opt);

/*
 * opts_has_value() returns true if an option has a value other than yes and no.  The next function
 * returns the words that it may be, ended by NULL; or NULL if it may be anything.
 */
bool opts_has_value(enum opt opt);
const char *const *opts_words(enum opt opt);

/* Does it take effect before a program is read, so that a pragma is too late? */
bool opts_is_early(const char *name);

/* The kinds of names that descriptions match targets by: bits 1 << enum target_name. */
unsigned int opts_target_kinds(const struct opts *o);

/* Are there pictures of aggregations? */
bool opts_draw(const struct opts *o);

/* Are aggregations metrics? */
bool opts_measure(const struct opts *o);

/*
 * The file of option flame, heat or html, NULL: it is not set; *agg: the name of the aggregation
 * that is to be drawn, as "@name=file" says, or NULL.  In the arena of the options.
 */
const char *opts_picture(const struct opts *o, enum opt opt, const char **agg);

/* Set an option by name; value NULL: none was given.  NULL, or the reason of the refusal. */
const char *opts_set(struct opts *o, const char *name, const char *value);

/* Value as text for the compiler: NULL if the option is not set. */
const char *opts_text(const struct opts *o, const char *name);

#endif
