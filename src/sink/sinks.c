/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sinks.c: the list of sinks.
 */
#include "sink/sinks.h"

#include "consume/consume.h"

extern const struct sink_type sink_save, sink_pictures, sink_top, sink_exporter, sink_push;

static const struct sink_type *const types[] = {
    &sink_save, &sink_pictures, &sink_top, &sink_exporter, &sink_push,
};

static void tell(void *ctx, enum out_object what, const void *obj)
{
	struct sinks *all = ctx;

	for (unsigned int i = 0; i < all->a.n; i++)
		if (all->a.a[i]->type->object)
			all->a.a[i]->type->object(all->a.a[i], what, obj);
}

bool sinks_start(struct sinks *all)
{
	struct out *text = all->env.consume->out;
	bool failed = false;

	for (unsigned int i = 0; i < sizeof(types) / sizeof(types[0]) && !failed; i++) {
		struct sink *k = types[i]->start(&all->env, &failed);

		if (!k)
			continue;
		k->type = types[i];
		vec_push(&all->a, k);
		if (k->type->object) {
			text->listen = tell;
			text->listener = all;
		}
	}
	return !failed;
}

void sinks_begin(struct sinks *all)
{
	for (unsigned int i = 0; i < all->a.n; i++)
		if (all->a.a[i]->type->begin)
			all->a.a[i]->type->begin(all->a.a[i]);
}

void sinks_round(struct sinks *all)
{
	for (unsigned int i = 0; i < all->a.n; i++)
		if (all->a.a[i]->type->round)
			all->a.a[i]->type->round(all->a.a[i]);
}

void sinks_take(struct sinks *all)
{
	for (unsigned int i = 0; i < all->a.n; i++)
		if (all->a.a[i]->type->take)
			all->a.a[i]->type->take(all->a.a[i]);
}

void sinks_stop(struct sinks *all)
{
	for (unsigned int i = 0; i < all->a.n; i++)
		if (all->a.a[i]->type->stop)
			all->a.a[i]->type->stop(all->a.a[i]);
}

bool sinks_write(struct sinks *all, bool is_hasty)
{
	bool ok = true;

	for (unsigned int i = 0; i < all->a.n; i++)
		if (all->a.a[i]->type->write)
			ok &= all->a.a[i]->type->write(all->a.a[i], is_hasty);
	return ok;
}

void sinks_free(struct sinks *all)
{
	for (unsigned int i = 0; i < all->a.n; i++)
		all->a.a[i]->type->free(all->a.a[i]);
	vec_free(&all->a);
}

int sinks_fd(const struct sinks *all)
{
	for (unsigned int i = 0; i < all->a.n; i++)
		if (all->a.a[i]->type->fd)
			return all->a.a[i]->type->fd(all->a.a[i]);
	return -1;
}
