/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * chart.h: the data of pictures: aggregations of one run, or of two compared runs, with names
 * instead of addresses.  The source is the consumer's aggregations (chart_add_set) or saved
 * documents (sink/saved.h).  flame.h, heat.h, page.h and the live view draw charts.
 *
 * Every key and every function of a stack is a frame.  Frames are unique: equal ids are equal
 * names.
 */
#ifndef CHART_CHART_H
#define CHART_CHART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "metrics/metrics.h"

struct agg_desc;
struct agg_set;
struct arena;
struct buf;
struct map;
struct out;

enum chart_kind { CHART_KEY, CHART_USER, CHART_KERNEL };

struct chart_frame {
	const char *name; /* UTF-8 without control characters */
	enum chart_kind kind;
	uint32_t rank; /* position by name; set by chart_rank */
};

/* A bucket of a histogram, by its number in chart_agg.buckets. */
struct chart_count {
	uint32_t bucket;
	int64_t n;
};

struct chart_counts {
	struct chart_count *a;
	unsigned int n;
};

/* A place in a source file. */
struct chart_line {
	const char *file; /* UTF-8 without control characters */
	uint32_t number;
};

/* A frame, and its line: the number in chart.lines, from 1; 0: not known. */
struct chart_place {
	uint32_t id, line;
};

/* A file with functions of stacks.  Text is UTF-8 without control characters; NULL: not known. */
struct chart_object {
	const char *path, *build_id;
};

struct chart_row {
	uint32_t *ids;	 /* keys that are not stacks, then the stacks from their roots on */
	uint32_t *lines; /* of the same frames, as in struct chart_place; NULL: none is known */
	unsigned int n, nkeys;
	int64_t value; /* for a histogram the sum of its counts */
	struct chart_counts counts;
};

struct chart_bucket {
	const char *label; /* UTF-8 without control characters */
	double low;	   /* -INFINITY: no lower bound */
};

/* Data of an interval; seconds from the start of the run. */
struct chart_column {
	double from, to;
	struct chart_counts counts;
};

struct chart_agg {
	const char *name;     /* without the @ */
	const char *function; /* count, quantize ... */
	unsigned int run;     /* 0; when two runs are compared, 1 for the later one */
	bool has_stacks, is_hist;
	const char **labels; /* of the keys that are not stacks; NULL: no name */
	unsigned int nlabels;
	const char *unit; /* as in struct agg_set */
	VEC(struct chart_row) rows;
	VEC(struct chart_bucket) buckets; /* by number, in any order */
	struct map *by_label;
	VEC(struct chart_column) columns; /* in the order of time */
};

/* Facts about a run.  Text is UTF-8 without control characters.  NULL and 0: not known, because an
 * earlier version saved the run. */
struct chart_run {
	const char *name;    /* the program, or the file of a saved run */
	const char *program; /* on one line, or the name of the script */
	const char *command; /* of option -c, or NULL */
	const char *host, *kernel;
	uint64_t start;	   /* ns since 1970 */
	uint64_t duration; /* ns */
	uint64_t drops;	   /* losses of all kinds */
};

struct chart {
	struct arena *arena;
	VEC(struct chart_frame) frames;
	VEC(struct chart_line) lines;
	struct map *by_name; /* (kind, name) -> frame number + 1 */
	struct map *by_pc;
	struct map *by_line;   /* (line, file) -> number in lines */
	struct map *by_module; /* struct chart_object */
	VEC(struct chart_agg *) aggs;
	unsigned int nruns;
	struct chart_run runs[2];
	bool is_saved;			/* from files */
	struct metrics_labels resource; /* attributes of the source, for OTLP; not owned */
};

struct chart *chart_new(void);
void chart_free(struct chart *c);

/* Returns text in the chart's arena.  Control characters and bytes that are not UTF-8 are
 * replaced. */
const char *chart_text(struct chart *c, const char *s);

/* Returns the frame for n bytes of text.  Control characters and bytes that are not UTF-8 are
 * replaced. */
uint32_t chart_frame(struct chart *c, const char *name, size_t n, enum chart_kind kind);

/* Returns the frame for an address of a stack.  Its name has no offset, so that a function is one
 * frame.  Addresses without a name differ between runs, so they share the frame "ls`[unknown]". */
uint32_t chart_function(struct chart *c, const char *s, size_t n, enum chart_kind kind);

/* Returns the frame below a stack whose outer callers are missing. */
uint32_t chart_cut(struct chart *c, enum chart_kind kind);

/* Returns the number of a line for struct chart_place. */
uint32_t chart_line(struct chart *c, const char *file, uint32_t number);

/* Returns the length of the module in the name of a frame; 0: it has none. */
size_t chart_module(const struct chart_frame *f);

/* Notes the file of a module; build_id may be NULL.  The first file of this name wins. */
void chart_object(struct chart *c, const char *module, const char *path, const char *build_id);

/* Returns the file of a module; NULL: not known. */
const struct chart_object *chart_find_object(const struct chart *c, const char *module, size_t n);

/* Gives a row its frames. */
void chart_set_frames(struct chart *c, struct chart_row *row, const struct chart_place *a,
		      unsigned int n);

struct chart_agg *chart_agg_new(struct chart *c, const char *name, const char *function,
				unsigned int run);
struct chart_agg *chart_agg_named(const struct chart *c, const char *name, unsigned int run);

/* Sets the names of the keys that are not stacks.  Names may be NULL. */
void chart_set_labels(struct chart *c, struct chart_agg *a, const char *const *names,
		      unsigned int n);

/* Returns true if a row has a value above 0, so that stacks have a share. */
bool chart_has_value(const struct chart_agg *a);

/* Returns the number of the bucket with this label; adds the bucket if needed. */
uint32_t chart_bucket(struct chart *c, struct chart_agg *a, const char *label, double low);

/* Adds all rows of an aggregation of the consumer.  o resolves addresses. */
struct chart_agg *chart_add_set(struct chart *c, struct out *o, const struct agg_set *set);

/* Adds the words of a histogram for an interval. */
void chart_add_column(struct chart *c, struct chart_agg *a, const struct agg_desc *d,
		      const int64_t *words, double from, double to);

/* Pairs two runs: the later run gets the aggregations that only the earlier one has, without
 * rows. */
void chart_pair(struct chart *c);

/* Gives all frames their rank. */
void chart_rank(struct chart *c);

/* Sorts the rows of aggregations with stacks by the ranks of their frames, so that equal callers
 * stand side by side, in live and in saved runs. */
void chart_sort(struct chart *c);

/* Returns the numbers of all buckets of an aggregation, sorted by bound; in the chart's arena. */
uint32_t *chart_order(struct chart *c, const struct chart_agg *a);

/* Appends the name of a key: "pid", or "key", "key 2" if it has none. */
void chart_key_name(struct buf *b, const struct chart_agg *a, unsigned int i, unsigned int nkeys);

/* Returns true if all bounds of buckets are powers of two. */
bool chart_is_binary(const struct chart_agg *a);

/* Return the first aggregation of the last run that has stacks, or columns; if name is not NULL,
 * only with this name.  NULL: none. */
struct chart_agg *chart_flame(const struct chart *c, const char *name);
struct chart_agg *chart_heat(const struct chart *c, const char *name);

#endif
