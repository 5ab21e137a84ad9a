/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * timeline.h: records to events over time.
 *
 * All records of a firing are one event.  If a firing has actions on spans, each action is an event
 * instead, and the first one has the data.
 */
#ifndef TIMELINE_TIMELINE_H
#define TIMELINE_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "timeline/event.h"
#include "timeline/roles.h"
#include "timeline/slices.h"

struct timeline;

/* The timeline frees the outputs. */
struct timeline *timeline_new(struct timeline_out *const *outs, unsigned int n,
			      roles_recorded *is_recorded, void *ctx);
void timeline_free(struct timeline *tl);

/* A record with its data, in this order.  Texts are copied. */
void timeline_record(struct timeline *tl, const struct table_rec *r);
void timeline_number(struct timeline *tl, const char *name, uint64_t v, bool is_signed);
void timeline_text(struct timeline *tl, const char *name, const char *s, size_t n);
void timeline_frame(struct timeline *tl, const char *s, size_t n); /* the innermost first */
void timeline_record_ends(struct timeline *tl);

/* Actions on spans.  id, parent (W3C traceparent): NULL without. */
void timeline_span_begins(struct timeline *tl, const char *name, const char *id,
			  const char *parent);
void timeline_span_ends(struct timeline *tl, const char *id);

/*
 * A reading of an aggregation: each row with its name, and the end.  Returns false if there are too
 * many rows: see counters.h.
 */
bool timeline_row(struct timeline *tl, const char *agg, const char *row, int64_t value);
void timeline_rows_end(struct timeline *tl, const char *agg, uint64_t time);

/* Adds an event of dtrace itself, such as a loss. */
void timeline_note(struct timeline *tl, uint64_t time, const char *name, const char *text);

/* Writes events that are older than any record that can still come, and flushes the outputs. */
void timeline_flush(struct timeline *tl, uint64_t now);

/* Writes all events.  Later ones belong to another file: see slices_renew. */
void timeline_renew(struct timeline *tl);

/* Ends all slices at this time, or at the last event, and completes the outputs. */
void timeline_end(struct timeline *tl, uint64_t time, struct slices_counts *counts);

#endif
