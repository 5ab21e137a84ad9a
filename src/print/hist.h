/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hist.h: histograms, for aggregating functions that have them, and bars, also for option agghist.
 */
#ifndef PRINT_HIST_H
#define PRINT_HIST_H

#include <stdbool.h>
#include <stdint.h>

struct agg_desc;
struct agg_rec;
struct buf;
struct doc;
struct out;

/* Common scale of the bars of one histogram or aggregation. */
struct hist_scale {
	unsigned __int128 total; /* sum of the magnitudes */
	uint64_t max;		 /* largest magnitude */
	bool has_pos, has_neg;
	bool is_whole; /* total is final, scaled for aggzoom */
};

/* Shown buckets, first to last. */
struct hist_range {
	unsigned int first, last;
};

/* Operations of a histogram. */
struct hist_ops {
	/* Return the bucket of a value, and the bound that stands for a bucket in sums. */
	unsigned int (*bucket)(const struct agg_desc *d, int64_t value);
	__int128 (*bound)(const struct agg_desc *d, unsigned int bucket);
	unsigned int beyond; /* counts in the last bucket stand for its bound plus this */
	/* Appends the label of a bucket, if number first is the first one shown. */
	void (*label)(const struct agg_desc *d, unsigned int bucket, unsigned int first,
		      struct buf *b);
	/* Returns the shown buckets of a histogram without counts. */
	struct hist_range (*empty)(const struct agg_desc *d);
	/* Option aggpack: shown buckets of n records (NULL: the option does not apply), columns of
	 * a label, and whether longer labels get more columns. */
	struct hist_range (*pack_range)(const struct agg_rec *recs, unsigned int n);
	int pack_width;
	bool pack_grows;
};

void hist_scale_add(struct hist_scale *s, int64_t count);

/* Ends adding: with aggzoom the total becomes a whole number, for agghist. */
void hist_scale_whole(const struct out *o, struct hist_scale *s);

/* Prints the heading after an empty line; label is right-aligned in width columns. */
void hist_header(struct out *o, const char *label, int width);

/* Prints bar, count and newline: the part of a row that follows the label. */
void hist_bar(struct out *o, const struct hist_scale *s, int64_t count, int64_t normal);

/* Returns the buckets to show for n records of one aggregation together. */
struct hist_range hist_range(const struct agg_rec *recs, unsigned int n);

/* Prints the histogram of a record. */
void hist_print(struct out *o, const struct agg_rec *r);

/* Option aggpack: print the heading; print one record after its keys. */
void hist_pack_header(struct out *o, const struct agg_rec *r, struct hist_range range, int width);
void hist_pack(struct out *o, const struct agg_rec *r, struct hist_range range);

/* Append the label of a bucket; "< BOUND" for the first, ">= BOUND" for the last one; a number. */
void hist_label(const struct agg_desc *d, unsigned int bucket, unsigned int first, struct buf *b);
void hist_label_open(const struct agg_desc *d, unsigned int bucket, unsigned int first,
		     struct buf *b);
void hist_number(struct buf *b, __int128 n);

/* Returns the largest value of a bucket; not for the last one. */
__int128 hist_upper(const struct agg_desc *d, unsigned int bucket);

/* For agg_ops: update by bucket, compare by the sum of all bounds, document the buckets with
 * counts. */
void hist_update(const struct agg_desc *d, int64_t *words, int64_t value, int64_t times);
int hist_compare(const struct agg_desc *d, const int64_t *a, const int64_t *b);
void hist_document(struct doc *doc, const struct agg_rec *r, const int64_t *words);
#define HIST_VALUE                                                               \
	.update = hist_update, .merge = agg_merge_sums, .compare = hist_compare, \
	.print = hist_print, .document = hist_document

#endif
