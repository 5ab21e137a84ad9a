/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * queue.h: records of a machine that wait for their turn.  The oldest is taken first, whatever the
 * order of arrival, because one processor may deliver its record later than another.  Records with
 * the same time keep their order.
 */
#ifndef REMOTE_QUEUE_H
#define REMOTE_QUEUE_H

#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

struct held {
	uint64_t time;	 /* on our clock, ns */
	uint64_t number; /* of earlier records */
	size_t len;
	void *data; /* from mem_alloc() */
};

/* All zero: empty. */
struct queue {
	VEC(struct held) heap;
	uint64_t n;   /* number of all records so far */
	size_t bytes; /* memory of the records */
};

/* Adds a copy of the record. */
void queue_put(struct queue *q, uint64_t time, const void *data, size_t len);

/* Returns the oldest record, valid until the queue changes; or NULL. */
const struct held *queue_oldest(const struct queue *q);

/* Removes and returns the oldest record.  The queue must not be empty.  The caller frees the
 * data. */
struct held queue_take(struct queue *q);

void queue_free(struct queue *q);

#endif
