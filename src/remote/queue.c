/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * queue.c: a binary heap.  Records come nearly in order, so most stay at their first position.
 */
#include <stdbool.h>
#include <string.h>

#include "base/mem.h"
#include "remote/queue.h"

static bool is_before(const struct held *a, const struct held *b)
{
	return a->time != b->time ? a->time < b->time : a->number < b->number;
}

static void swap(struct held *a, struct held *b)
{
	struct held c = *a;

	*a = *b;
	*b = c;
}

void queue_put(struct queue *q, uint64_t time, const void *data, size_t len)
{
	struct held held = {.time = time, .number = q->n++, .len = len, .data = mem_alloc(len)};
	unsigned int i = q->heap.n;
	struct held *a;

	memcpy(held.data, data, len);
	q->bytes += len + sizeof(held);
	vec_push(&q->heap, held);
	a = q->heap.a;
	for (; i && is_before(&a[i], &a[(i - 1) / 2]); i = (i - 1) / 2)
		swap(&a[i], &a[(i - 1) / 2]);
}

const struct held *queue_oldest(const struct queue *q)
{
	return q->heap.n ? &q->heap.a[0] : NULL;
}

struct held queue_take(struct queue *q)
{
	struct held *a = q->heap.a, oldest = a[0];
	unsigned int n = --q->heap.n, i = 0;

	q->bytes -= oldest.len + sizeof(oldest);
	a[0] = a[n];
	for (;;) {
		unsigned int child = 2 * i + 1;

		if (child + 1 < n && is_before(&a[child + 1], &a[child]))
			child++;
		if (child >= n || !is_before(&a[child], &a[i]))
			return oldest;
		swap(&a[child], &a[i]);
		i = child;
	}
}

void queue_free(struct queue *q)
{
	for (unsigned int i = 0; i < q->heap.n; i++)
		mem_free(q->heap.a[i].data);
	vec_free(&q->heap);
}
