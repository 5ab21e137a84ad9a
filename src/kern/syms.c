/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * syms.c: kernel symbols from /proc/kallsyms, read on first use of an address or name.  Symbols are
 * sorted by address, and a symbol ends where the next one starts.  Addresses of per-CPU variables
 * lie in a template that each CPU has a copy of.  On x86-64 before 6.15 the template begins at 0
 * and they are absolute symbols.
 */
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "kern/priv.h"
#include "sys/machine.h"

static int sym_cmp(const void *a, const void *b)
{
	const struct kern_sym *x = a, *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

/* Parses "ffffffff81000000 T name\t[module]".  The names stay in the line. */
static bool parse_line(char *line, struct kern_sym *s, bool *is_absolute)
{
	char *end, *mod;

	s->addr = strtoull(line, &end, 16);
	if (end == line || end[0] != ' ' || !end[1] || end[2] != ' ')
		return false;
	*is_absolute = strchr("aA", end[1]) != NULL;
	if (!s->addr && !*is_absolute)
		return false;
	s->name = end + 3;
	s->module = "vmlinux";
	mod = strchr(s->name, '\t');
	if (mod) {
		*mod++ = '\0';
		if (*mod == '[') {
			mod[strlen(mod) - 1] = '\0';
			s->module = mod + 1;
		}
	}
	return true;
}

static void load(struct kern *k)
{
	char *line, *next;

	if (k->syms_done)
		return;
	k->syms_done = true;
	if (!k->is_live || !sys_read_file(k->machine, "/proc/kallsyms", &k->sym_text) ||
	    !k->sym_text.n)
		return;
	for (line = k->sym_text.s; *line; line = next) {
		size_t len = strcspn(line, "\n");
		struct kern_sym s = {0};
		bool is_absolute;

		next = line + len + (line[len] != '\0');
		line[len] = '\0';
		if (!parse_line(line, &s, &is_absolute))
			continue;
		if (is_absolute)
			vec_push(&k->absolute, s);
		else
			vec_push(&k->syms, s);
	}
	if (k->syms.n)
		qsort(k->syms.a, k->syms.n, sizeof(*k->syms.a), sym_cmp);
	for (unsigned int i = 0; i + 1 < k->syms.n; i++)
		k->syms.a[i].size = k->syms.a[i + 1].addr - k->syms.a[i].addr;
}

void kern_syms_unload(struct kern *k)
{
	vec_free(&k->syms);
	vec_free(&k->absolute);
	vec_free(&k->by_name);
	buf_free(&k->sym_text);
}

bool kern_sym_by_addr(struct kern *k, uint64_t addr, struct kern_sym *res)
{
	unsigned int next;

	load(k);
	/* Any symbol at an address will do; aliases of size 0 come first. */
	next = vec_after(&k->syms, addr, addr);
	if (!next)
		return false;
	*res = k->syms.a[next - 1];
	return addr - res->addr < (res->size ? res->size : 4096);
}

static bool is_named(const struct kern_sym *s, const char *module, const char *name)
{
	return strcmp(s->name, name) == 0 &&
	       (!module || !*module || strcmp(module, s->module) == 0);
}

/* Searches linearly: making an index of the names would take longer than a few searches. */
bool kern_sym_by_name(struct kern *k, const char *module, const char *name, struct kern_sym *res)
{
	load(k);
	for (unsigned int i = 0; i < k->syms.n; i++) {
		if (is_named(&k->syms.a[i], module, name)) {
			*res = k->syms.a[i];
			return true;
		}
	}
	/* Without privileges all addresses are 0, and absolute symbols mean nothing. */
	for (unsigned int i = 0; k->syms.n && i < k->absolute.n; i++) {
		if (is_named(&k->absolute.a[i], module, name)) {
			*res = k->absolute.a[i];
			return true;
		}
	}
	return false;
}

bool kern_sym_is_percpu(struct kern *k, const struct kern_sym *sym)
{
	struct kern_sym start, end;

	return strcmp(sym->module, "vmlinux") == 0 &&
	       kern_sym_by_name(k, NULL, "__per_cpu_start", &start) &&
	       kern_sym_by_name(k, NULL, "__per_cpu_end", &end) &&
	       sym->addr - start.addr < end.addr - start.addr;
}

void kern_sym_near(struct kern *k, struct nearest *n)
{
	load(k);
	for (unsigned int i = 0; i < k->syms.n; i++)
		nearest_try(n, k->syms.a[i].name);
	for (unsigned int i = 0; i < k->absolute.n; i++)
		nearest_try(n, k->absolute.a[i].name);
}

unsigned int kern_sym_count(struct kern *k, const char *module, const char *name)
{
	unsigned int n = 0;

	load(k);
	for (unsigned int i = 0; i < k->syms.n; i++)
		n += is_named(&k->syms.a[i], module, name);
	return n;
}

static int name_cmp(const void *a, const void *b)
{
	const struct kern_sym *x = a, *y = b;
	int r = strcmp(x->name, y->name);

	r = r ? r : strcmp(x->module, y->module);
	return r ? r : sym_cmp(a, b);
}

const struct kern_sym *kern_syms_by_name(struct kern *k, size_t *n)
{
	load(k);
	if (!k->by_name.n && k->syms.n) {
		for (unsigned int i = 0; i < k->syms.n; i++)
			vec_push(&k->by_name, k->syms.a[i]);
		qsort(k->by_name.a, k->by_name.n, sizeof(*k->by_name.a), name_cmp);
	}
	*n = k->by_name.n;
	return k->by_name.a;
}

static int place_cmp(const void *a, const void *b)
{
	const struct kern_sym *x = a, *y = b;
	int r = strcmp(x->name, y->name);

	return r ? r : strcmp(x->module, y->module);
}

bool kern_sym_only(struct kern *k, const char *module, const char *name, struct kern_sym *res)
{
	struct kern_sym key = {.name = name, .module = module};
	size_t n;
	const struct kern_sym *all = kern_syms_by_name(k, &n);
	const struct kern_sym *s = n ? bsearch(&key, all, n, sizeof(*all), place_cmp) : NULL;

	if (!s || (s > all && place_cmp(s - 1, &key) == 0) ||
	    (s + 1 < all + n && place_cmp(s + 1, &key) == 0))
		return false;
	*res = *s;
	return true;
}
