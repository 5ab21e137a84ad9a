/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hist.h: histograms, for the aggregating functions that are some, and bars, those of agghist
 * included.
 */
#ifndef OUT_HIST_H
#define OUT_HIST_H

#include <stdbool.h>
#include <stdint.h>

struct agg_desc;
struct agg_rec;
struct buf;
struct doc;
struct out;

/* Common scale of the bars of a picture. */
struct hist_scale {
	unsigned __int128 total; /* sum of the magnitudes */
	uint64_t max;		 /* largest magnitude */
	bool has_pos, has_neg;
	bool is_whole; /* total is already that of aggzoom */
};

/* Buckets first..last that are shown. */
struct hist_range {
	unsigned int first, last;
};

/* Operations of a histogram. */
struct hist_ops {
	/* The bucket that a value falls in, and the bound that it stands for in sums. */
	unsigned int (*bucket)(const struct agg_desc *d, int64_t value);
	__int128 (*bound)(const struct agg_desc *d, unsigned int bucket);
	unsigned int beyond; /* what is in the last one counts as so much more than its bound */
	/* A bucket's label where none before number first is shown. */
	void (*label)(const struct agg_desc *d, unsigned int bucket, unsigned int first,
		      struct buf *b);
	/* The buckets that are shown of one without counts. */
	struct hist_range (*empty)(const struct agg_desc *d);
	/* Option aggpack: those of n records (NULL: the option is not for it), columns of a
	 * label, and whether a longer one gets more. */
	struct hist_range (*pack_range)(const struct agg_rec *recs, unsigned int n);
	int pack_width;
	bool pack_grows;
};

void hist_scale_add(struct hist_scale *s, int64_t count);

/* All was added: with aggzoom the total becomes a whole number, as agghist has it. */
void hist_scale_whole(const struct out *o, struct hist_scale *s);

/* The heading after an empty line; label is right-aligned in width columns. */
void hist_header(struct out *o, const char *label, int width);

/* Bar, count and newline: all of a row behind its label. */
void hist_bar(struct out *o, const struct hist_scale *s, int64_t count, int64_t normal);

/* Buckets shown of n records of one aggregation together. */
struct hist_range hist_range(const struct agg_rec *recs, unsigned int n);

/* The whole histogram of a record. */
void hist_print(struct out *o, const struct agg_rec *r);

/* aggpack: the heading; one record behind its keys. */
void hist_pack_header(struct out *o, const struct agg_rec *r, struct hist_range range, int width);
void hist_pack(struct out *o, const struct agg_rec *r, struct hist_range range);

/* A bucket's label; "< BOUND" for the first and ">= BOUND" for the last one; a number in it. */
void hist_label(const struct agg_desc *d, unsigned int bucket, unsigned int first, struct buf *b);
void hist_label_open(const struct agg_desc *d, unsigned int bucket, unsigned int first,
		     struct buf *b);
void hist_number(struct buf *b, __int128 n);

/* The largest value that falls in a bucket; not of the last one. */
__int128 hist_upper(const struct agg_desc *d, unsigned int bucket);

/* For agg_ops: by bucket; by the sum of all bounds; and the buckets that have counts. */
void hist_update(const struct agg_desc *d, int64_t *words, int64_t value, int64_t times);
int hist_compare(const struct agg_desc *d, const int64_t *a, const int64_t *b);
void hist_document(struct doc *doc, const struct agg_rec *r, const int64_t *words);
#define HIST_VALUE                                                               \
	.update = hist_update, .merge = agg_merge_sums, .compare = hist_compare, \
	.print = hist_print, .document = hist_document

#endif
