/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * slices.h: open slices of threads and open spans, and the events that begin and end them.
 *
 * Slices of a thread nest: the end of a slice ends the slices inside, which have no end of their
 * own.  An end without a beginning is an instant.
 *
 * A span with an id is a slice of no thread.  It ends with the end of the latest span of its
 * process with this id, or else of the latest one of any process.  Spans with one id are one flow.
 */
#ifndef TIMELINE_SLICES_H
#define TIMELINE_SLICES_H

#include <stdint.h>

#include "timeline/event.h"

struct role;
struct slices;

/* A thread and its open slices. */
struct slices_thread;

/* Counts that are reported at the end. */
struct slices_counts {
	uint64_t unended; /* slices and spans that ended with the trace or with an outer slice */
	uint64_t unbegun; /* ends without a beginning */
};

struct slices *slices_new(struct timeline_out *const *outs, unsigned int n);
void slices_free(struct slices *sl); /* frees the outputs, too */

/* Writes an event to the outputs that have not failed. */
void slices_write(struct slices *sl, const struct timeline_event *e);
void slices_flush(struct slices *sl);

/*
 * Returns the thread, or the idle loop of the CPU.  A thread that is new or has a new name is
 * written.  The slices of a thread whose number was used again end at `time`.
 */
struct slices_thread *slices_thread(struct slices *sl, const struct timeline_thread *t,
				    uint64_t time);
const struct timeline_thread *slices_who(const struct slices_thread *t);

/* Each takes an event of the thread, whose kind and name it changes as needed. */
void slices_begin(struct slices *sl, struct slices_thread *t, struct timeline_event *e,
		  const struct role *role);
void slices_end(struct slices *sl, struct slices_thread *t, struct timeline_event *e,
		const struct role *role);

/* id NULL: the span is a slice of the thread.  The name is the event's. */
void slices_begin_span(struct slices *sl, struct slices_thread *t, struct timeline_event *e,
		       const char *id);
void slices_end_span(struct slices *sl, struct slices_thread *t, struct timeline_event *e,
		     const char *id);

/*
 * Ends all slices and spans, because the outputs without files of their own go on in another file.
 * Their threads are written again.
 */
void slices_renew(struct slices *sl);

/* Ends all slices and spans at `time`, or at the last event, and completes the outputs. */
void slices_close(struct slices *sl, uint64_t time, struct slices_counts *counts);

#endif
