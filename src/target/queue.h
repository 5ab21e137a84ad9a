/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * queue.h: records of a machine that wait until it is their turn.  The oldest is taken first,
 * whatever the order they came in: one processor may be slower with its record than another.  Of
 * those with the same time the one that came first.
 */
#ifndef TARGET_QUEUE_H
#define TARGET_QUEUE_H

#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

struct held {
	uint64_t time;	 /* of ours, ns */
	uint64_t number; /* how many came before */
	size_t len;
	void *data; /* from mem_alloc() */
};

/* All zero: empty. */
struct queue {
	VEC(struct held) heap;
	uint64_t n; /* that came so far */
};

/* A copy of the record. */
void queue_put(struct queue *q, uint64_t time, const void *data, size_t len);

/* The oldest; NULL: there is none.  Until the queue changes. */
const struct held *queue_oldest(const struct queue *q);

/* The oldest, of which there has to be one; its data are the caller's to free. */
struct held queue_take(struct queue *q);

void queue_free(struct queue *q);

#endif
