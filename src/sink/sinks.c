/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sinks.c: the list of sinks.
 */
#include "sink/sinks.h"

#include <ctype.h>
#include <sys/utsname.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clocks.h"
#include "consume/consume.h"

#define PROGRAM_MAX 200 /* bytes of a program among the facts */

extern const struct sink_type sink_save, sink_pictures, sink_top, sink_exporter, sink_push,
    sink_timeline;

static const struct sink_type *const types[] = {
    &sink_save, &sink_pictures, &sink_top, &sink_exporter, &sink_push, &sink_timeline,
};

static void tell(void *ctx, enum out_object what, const void *obj)
{
	struct sinks *all = ctx;

	for (unsigned int i = 0; i < all->a.n; i++)
		if (all->a.a[i]->type->object)
			all->a.a[i]->type->object(all->a.a[i], what, obj);
}

/* Returns the text on one line, cut to PROGRAM_MAX. */
static const char *one_line(struct arena *a, const char *text)
{
	struct buf b = {0};
	const char *line;

	for (; *text && b.n < PROGRAM_MAX; text++)
		if (!isspace((unsigned char)*text) || !b.n || b.s[b.n - 1] != ' ')
			buf_putc(&b, (char)(isspace((unsigned char)*text) ? ' ' : *text));
	if (*text)
		buf_puts(&b, "...");
	line = arena_strdup(a, buf_str(&b));
	buf_free(&b);
	return line;
}

static void describe(struct sink_env *env)
{
	struct utsname name = {0};

	uname(&name);
	env->run.program = one_line(env->arena, env->title);
	env->run.host = arena_strdup(env->arena, name.nodename);
	env->run.kernel = arena_strdup(env->arena, name.release);
}

bool sinks_start(struct sinks *all)
{
	struct out *text = all->env.consume->out;
	bool failed = false;

	describe(&all->env);
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
	struct sink_env *env = &all->env;

	/* Sessions of other machines have no sinks, and are parts of this run. */
	if (!env->run.program)
		return;
	env->run.start = clock_wall();
	env->begun = clock_ns();
	out_object(env->consume->out, OUT_OBJECT_RUN, &env->run);
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
	struct sink_env *env = &all->env;

	if (!env->begun)
		return;
	env->run.duration = clock_ns() - env->begun;
	out_object(env->consume->out, OUT_OBJECT_RUN, &env->run);
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
