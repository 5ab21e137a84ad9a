/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * queue_test.c: records leave in the order of time, and records of equal time in the order of
 * arrival.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "remote/queue.h"
#include "test.h"

#define RECORDS 5000
#define TIMES	700

static unsigned int last_of[TIMES];

static void put(struct queue *q, unsigned int i)
{
	unsigned int rec[2] = {(unsigned int)rand() % TIMES, i};

	queue_put(q, rec[0], rec, sizeof(rec));
}

/* Returns the time of the oldest record, which came after the previous one with this time. */
static unsigned int take(struct queue *q)
{
	struct held held = queue_take(q);
	unsigned int *rec = held.data, time = rec[0];

	CHECK(held.time == time && held.len == 2 * sizeof(*rec));
	CHECK(rec[1] >= last_of[time]);
	last_of[time] = rec[1];
	mem_free(rec);
	return time;
}

static void all_in_order(void)
{
	struct queue q = {0};
	unsigned int last = 0;

	CHECK(!queue_oldest(&q));
	for (unsigned int i = 0; i < RECORDS; i++)
		put(&q, i);
	for (unsigned int i = 0; i < RECORDS; i++) {
		unsigned int time = (unsigned int)queue_oldest(&q)->time;

		CHECK(time >= last && take(&q) == time);
		last = time;
	}
	CHECK(!queue_oldest(&q));
	queue_free(&q);
}

/* Some records are taken while others come: never one that is newer than a remaining one. */
static void some_meanwhile(void)
{
	struct queue q = {0};
	unsigned int n = 0;

	memset(last_of, 0, sizeof(last_of));
	for (unsigned int i = 0; i < RECORDS; i++) {
		put(&q, i);
		if (rand() % 2) {
			unsigned int time = take(&q);

			n++;
			CHECK(!queue_oldest(&q) || queue_oldest(&q)->time >= time);
		}
	}
	CHECK(q.heap.n == RECORDS - n);
	queue_free(&q);
}

int main(void)
{
	all_in_order();
	some_meanwhile();
	return TEST_DONE();
}
