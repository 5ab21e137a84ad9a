/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * syms.c: kernel symbols from /proc/kallsyms, read when the first address or name is asked for.
 * Symbols are kept by address; a symbol ends where the next one starts.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "kern/priv.h"

static int sym_cmp(const void *a, const void *b)
{
	const struct kern_sym *x = a, *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

/* "ffffffff81000000 T name\t[module]" */
static bool parse_line(struct kern *k, char *line, struct kern_sym *s)
{
	char *end, *mod;

	s->addr = strtoull(line, &end, 16);
	if (end == line || end[0] != ' ' || !end[1] || end[2] != ' ' || !s->addr)
		return false;
	if (strchr("aA", end[1]))
		return false;
	line = end + 3;
	line[strcspn(line, "\n")] = '\0';
	mod = strchr(line, '\t');
	if (mod)
		*mod++ = '\0';
	if (mod && *mod == '[')
		mod[strlen(mod) - 1] = '\0';
	s->name = arena_strdup(k->arena, line);
	s->module = mod && *mod == '[' ? arena_strdup(k->arena, mod + 1) : "vmlinux";
	return true;
}

static void load(struct kern *k)
{
	char line[1024];
	FILE *f;

	if (k->syms_done)
		return;
	k->syms_done = true;
	f = k->is_live ? fopen("/proc/kallsyms", "re") : NULL;
	if (!f)
		return;
	while (fgets(line, sizeof(line), f)) {
		struct kern_sym s = {0};

		if (parse_line(k, line, &s))
			vec_push(&k->syms, s);
	}
	fclose(f);
	if (k->syms.n)
		qsort(k->syms.a, k->syms.n, sizeof(*k->syms.a), sym_cmp);
	for (unsigned int i = 0; i + 1 < k->syms.n; i++)
		k->syms.a[i].size = k->syms.a[i + 1].addr - k->syms.a[i].addr;
}

void kern_syms_unload(struct kern *k)
{
	vec_free(&k->syms);
	map_free(k->sym_names);
}

bool kern_sym_by_addr(struct kern *k, uint64_t addr, struct kern_sym *res)
{
	unsigned int lo = 0, hi;

	load(k);
	hi = k->syms.n;
	while (lo < hi) {
		unsigned int mid = (lo + hi) / 2;

		if (k->syms.a[mid].addr <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	/* Of symbols at one address the first is as good as any; size 0 aliases come before. */
	if (!lo)
		return false;
	*res = k->syms.a[lo - 1];
	return addr - res->addr < (res->size ? res->size : 4096);
}

bool kern_sym_by_name(struct kern *k, const char *module, const char *name, struct kern_sym *res)
{
	uintptr_t at;

	load(k);
	if (!k->sym_names) {
		k->sym_names = map_new();
		for (unsigned int i = 0; i < k->syms.n; i++)
			if (!map_get_str(k->sym_names, k->syms.a[i].name))
				map_set_str(k->sym_names, k->syms.a[i].name,
					    (void *)(uintptr_t)(i + 1));
	}
	at = (uintptr_t)map_get_str(k->sym_names, name);
	if (!at)
		return false;
	*res = k->syms.a[at - 1];
	return !module || !*module || strcmp(module, res->module) == 0;
}
