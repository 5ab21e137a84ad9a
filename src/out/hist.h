/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hist.h: bars, of histograms and of agghist; for this folder.
 */
#ifndef OUT_HIST_H
#define OUT_HIST_H

#include <stdbool.h>
#include <stdint.h>

struct agg_rec;
struct out;

/* What the bars of one picture have in common. */
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

/* aggpack: buckets shown of n records; the heading; one record behind its keys. */
struct hist_range hist_pack_range(const struct agg_rec *recs, unsigned int n);
void hist_pack_header(struct out *o, const struct agg_rec *r, struct hist_range range, int width);
void hist_pack(struct out *o, const struct agg_rec *r, struct hist_range range);

#endif
