/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * roles.c: see roles.h.
 */
#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/mem.h"
#include "print/table.h"
#include "timeline/roles.h"

struct roles {
	struct arena *arena;
	struct map *by_probe; /* machine and probe -> struct role */
	struct map *pairs;    /* texts that stand for pairs */
	roles_recorded *is_recorded;
	void *ctx;
};

/* Last words of the names of a pair. */
static const struct word {
	const char *begin, *end;
	bool for_process; /* only probes of a process form such a pair */
} words[] = {{"entry", "return", false}, {"start", "done", true}, {"begin", "end", true}};

/* Returns the length of the name before "-word"; -1 if the name does not end with the word. */
static int before(const char *name, const char *word)
{
	size_t n = strlen(name), w = strlen(word);

	if (n < w || strcmp(name + n - w, word) != 0)
		return -1;
	return n == w ? 0 : name[n - w - 1] == '-' ? (int)(n - w - 1) : -1;
}

/*
 * The provider of a static probe ends with the number of the process, or is the pattern of the
 * description if all processes share the probe.
 */
static bool is_of_process(const char *prov)
{
	size_t n = strlen(prov);

	return n && (isdigit((unsigned char)prov[n - 1]) || strpbrk(prov, "*?["));
}

/* System calls without a return. */
static bool never_returns(const struct table_rec *r)
{
	return strcmp(r->prov, "syscall") == 0 &&
	       (strcmp(r->func, "exit") == 0 || strcmp(r->func, "exit_group") == 0);
}

/* Returns the pair of a probe.  A pair with a name of its own can span several functions. */
static const void *pair_of(struct roles *roles, const struct table_rec *r, const struct word *w,
			   int len)
{
	struct buf key = {0};
	void *pair;

	buf_printf(&key, "%u:%s:%s:%s:%.*s:%s", r->vmid, r->prov, r->mod, len ? "" : r->func, len,
		   r->name, w->begin);
	pair = map_get_str(roles->pairs, buf_str(&key));
	if (!pair) {
		pair = arena_strdup(roles->arena, buf_str(&key));
		map_set_str(roles->pairs, buf_str(&key), pair);
	}
	buf_free(&key);
	return pair;
}

/* len: length of the pair's own name, before the word. */
static const char *name_of(struct roles *roles, const struct role *role, const struct table_rec *r,
			   int len)
{
	if (!role->pair)
		return arena_printf(roles->arena, "%s%s%s", r->func, *r->func ? ":" : "", r->name);
	return len ? arena_printf(roles->arena, "%.*s", len, r->name)
		   : arena_strdup(roles->arena, r->func);
}

static bool has_partner(struct roles *roles, const struct table_rec *r, const struct word *w,
			bool is_begin, int len)
{
	struct buf name = {0};
	bool has;

	buf_printf(&name, "%.*s%s%s", len, r->name, len ? "-" : "", is_begin ? w->end : w->begin);
	has = roles->is_recorded(roles->ctx, r, buf_str(&name), len > 0);
	buf_free(&name);
	return has;
}

static struct role *role_new(struct roles *roles, const struct table_rec *r)
{
	struct role *role = arena_new_obj(roles->arena, struct role);
	int len = 0;

	role->category = arena_strdup(roles->arena, r->prov);
	role->is_sample = strcmp(r->prov, "profile") == 0 || strcmp(r->prov, "cpc") == 0;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]) && !role->pair; i++) {
		int begin = before(r->name, words[i].begin), end = before(r->name, words[i].end);

		len = begin > end ? begin : end;
		if (len < 0 || (words[i].for_process && !is_of_process(r->prov)) ||
		    never_returns(r) || !has_partner(roles, r, &words[i], begin >= 0, len))
			continue;
		role->pair = pair_of(roles, r, &words[i], len);
		role->is_begin = begin >= 0;
	}
	role->name = name_of(roles, role, r, len);
	return role;
}

const struct role *roles_of(struct roles *roles, const struct table_rec *r)
{
	uint64_t key = (uint64_t)r->vmid << 32 | r->id;
	struct role *role = map_get_int(roles->by_probe, key);

	if (!role) {
		role = role_new(roles, r);
		map_set_int(roles->by_probe, key, role);
	}
	return role;
}

struct roles *roles_new(roles_recorded *is_recorded, void *ctx)
{
	struct roles *roles = mem_alloc(sizeof(*roles));

	roles->arena = arena_new();
	roles->by_probe = map_new();
	roles->pairs = map_new();
	roles->is_recorded = is_recorded;
	roles->ctx = ctx;
	return roles;
}

void roles_free(struct roles *roles)
{
	map_free(roles->by_probe);
	map_free(roles->pairs);
	arena_free(roles->arena);
	mem_free(roles);
}
