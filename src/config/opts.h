/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * opts.h: the options of a session (opts.def).
 */
#ifndef CONFIG_OPTS_H
#define CONFIG_OPTS_H

#include <stdbool.h>
#include <stdint.h>

struct arena;

enum opt {
#define OPT(name, kind, when, initial, doc) OPT_##name,
#include "config/opts.def"
	OPT_MAX
};

struct opts_value {
	const char *text;
	struct opts_value *next;
};

struct opts {
	struct arena *arena;
	bool is_set[OPT_MAX];
	uint64_t num[OPT_MAX];
	const char *text[OPT_MAX];	   /* as given; NULL: never set */
	struct opts_value *files[OPT_MAX]; /* of kinds FILES and FILE, in order */
	bool is_default[OPT_MAX]; /* read with reads_defaults: any later value replaces it */
	bool reads_defaults;
	bool has_conflict; /* a value was refused because of an earlier one */
	bool is_active;	   /* tracing runs, so only dynamic options may change */
};

void opts_init(struct opts *o, struct arena *a);

const char *opts_name(enum opt opt);

/* Returns the reason why an option has no effect on Linux; NULL: it has one. */
const char *opts_unused(const char *name);

/*
 * opts_has_value() returns true if an option has a value other than yes and no.  opts_words()
 * returns the permitted words, ended by NULL; NULL: any text.
 */
bool opts_has_value(enum opt opt);
const char *const *opts_words(enum opt opt);

/* Returns true if an option takes effect before a program is read, so that a pragma is too late. */
bool opts_is_early(const char *name);

/* Returns the kinds of names by which descriptions match targets: bits 1 << enum target_name. */
unsigned int opts_target_kinds(const struct opts *o);

/* Returns true if aggregations are drawn. */
bool opts_draw(const struct opts *o);

/* Returns true if stacks become a picture or a profile. */
bool opts_draw_stacks(const struct opts *o);

/* Returns true if records have their time and thread, which timelines need. */
bool opts_timeline(const struct opts *o);

/* Returns true if timelines are written. */
bool opts_timeline_written(const struct opts *o);

/* Returns true if the output is a timeline instead of text. */
bool opts_timeline_output(const struct opts *o);

/* Paths of the signals of OTLP ("OpenTelemetry Protocol Specification", OTLP/HTTP Request). */
#define OPTS_OTLP_METRICS  "/v1/metrics"
#define OPTS_OTLP_LOGS	   "/v1/logs"
#define OPTS_OTLP_SPANS	   "/v1/traces"
#define OPTS_OTLP_PROFILES "/v1development/profiles"

/*
 * Returns true if option otlp sends this signal: without a path in the URL all of them, otherwise
 * the one with this path, or metrics.
 */
bool opts_otlp(const struct opts *o, const char *signal);

/* Returns true if option otlp sends records, as logs or spans. */
bool opts_otlp_records(const struct opts *o);

/* Returns true if aggregations are metrics. */
bool opts_measure(const struct opts *o);

/*
 * Returns the file of value i of an option for files; NULL: there are not so many values.  Sets
 * *agg to the aggregation of "@name=file", or NULL.  Both are in the arena of the options.
 */
const char *opts_picture(const struct opts *o, enum opt opt, unsigned int i, const char **agg);

/*
 * Sets an option by name.  value is NULL if none was given.  Returns NULL, or the reason of the
 * refusal.
 */
const char *opts_set(struct opts *o, const char *name, const char *value);

/* Returns the value as text for the compiler; NULL: the option is not set. */
const char *opts_text(const struct opts *o, const char *name);

#endif
