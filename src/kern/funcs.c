/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * funcs.c: the functions that ftrace can instrument, from tracefs, with their addresses.
 *
 * available_filter_functions has a line "name" or "name [module]" for each function.  From 6.5 on
 * available_filter_functions_addrs has the address, too.  Before that addresses come from
 * /proc/kallsyms, where several functions may have one name.  Both files are in the order of
 * addresses, so functions of one name match in order if all of them can be instrumented.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "kern/priv.h"
#include "sys/machine.h"

static int func_cmp(const void *a, const void *b)
{
	const struct kern_func *x = a, *y = b;
	int r = strcmp(x->name, y->name);

	r = r ? r : strcmp(x->module, y->module);
	return r ? r : x->addr < y->addr ? -1 : x->addr > y->addr;
}

/* The kernel uses such names for places that are no functions (kernel/trace/ftrace.c). */
static bool is_invalid(const char *name)
{
	return strncmp(name, "__ftrace_invalid_address__", 26) == 0;
}

/* The names stay in the line. */
static void add_line(struct kern *k, char *line, bool has_addr)
{
	struct kern_func f = {.module = "vmlinux"};
	char *mod;

	if (has_addr) {
		f.addr = strtoull(line, &line, 16);
		line += *line == ' ';
	}
	mod = line + strcspn(line, " \t");
	if (*mod) {
		*mod++ = '\0';
		mod += *mod == '[';
		mod[strcspn(mod, "]")] = '\0';
		f.module = mod;
	}
	f.name = line;
	if (*line && !is_invalid(line))
		vec_push(&k->funcs, f);
}

static bool read_list(struct kern *k, const char *file)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", kern_tracefs(k), file);
	return *kern_tracefs(k) && sys_read_file(k->machine, path, &k->func_text) &&
	       k->func_text.n != 0;
}

/* Takes addresses by name if there are as many symbols as functions of the name. */
static void find_addresses(struct kern *k)
{
	size_t n;
	const struct kern_sym *syms = kern_syms_by_name(k, &n);
	size_t at = 0;

	for (unsigned int i = 0, same; i < k->funcs.n; i += same) {
		struct kern_func *f = &k->funcs.a[i];
		size_t first;

		for (same = 1; i + same < k->funcs.n && strcmp(f[same].name, f->name) == 0 &&
			       strcmp(f[same].module, f->module) == 0;
		     same++)
			;
		while (at < n && (strcmp(syms[at].name, f->name) < 0 ||
				  (strcmp(syms[at].name, f->name) == 0 &&
				   strcmp(syms[at].module, f->module) < 0)))
			at++;
		for (first = at; at < n && strcmp(syms[at].name, f->name) == 0 &&
				 strcmp(syms[at].module, f->module) == 0;
		     at++)
			;
		/* With more symbols than functions it is unknown which symbols belong to them. */
		for (unsigned int j = 0; j < same && at - first == same; j++)
			f[j].addr = syms[first + j].addr;
	}
}

/* ftrace's addresses may lie after the first instruction of the function (endbr64). */
static void to_symbols(struct kern *k)
{
	struct kern_sym sym;

	for (unsigned int i = 0; i < k->funcs.n; i++)
		if (kern_sym_by_addr(k, k->funcs.a[i].addr, &sym))
			k->funcs.a[i].addr = sym.addr;
}

const struct kern_func *kern_funcs(struct kern *k, size_t *n)
{
	if (!k->funcs_done && k->is_live) {
		bool has_addr;
		char *line, *next;

		has_addr = read_list(k, "available_filter_functions_addrs");
		if (has_addr || read_list(k, "available_filter_functions")) {
			for (line = k->func_text.s; *line; line = next) {
				size_t len = strcspn(line, "\n");

				next = line + len + (line[len] != '\0');
				line[len] = '\0';
				add_line(k, line, has_addr);
			}
		}
		if (k->funcs.n)
			qsort(k->funcs.a, k->funcs.n, sizeof(*k->funcs.a), func_cmp);
		k->funcs_have_addr = has_addr;
	}
	k->funcs_done = true;
	*n = k->funcs.n;
	return k->funcs.a;
}

/* Finds all addresses.  This reads all symbols. */
static void locate(struct kern *k)
{
	if (k->funcs_located)
		return;
	if (k->funcs_have_addr)
		to_symbols(k);
	else
		find_addresses(k);
	k->funcs_located = true;
}

const struct kern_func *kern_func_find(struct kern *k, const char *name, size_t *n)
{
	size_t total, lo = 0, hi;
	const struct kern_func *funcs = kern_funcs(k, &total);

	locate(k);
	hi = total;
	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (strcmp(funcs[mid].name, name) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (hi = lo; hi < total && strcmp(funcs[hi].name, name) == 0; hi++)
		;
	*n = hi - lo;
	return funcs + lo;
}
