/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz_dwarf.c: any bytes as a file with debug information, and as the file that it shares.
 * Functions, types and lines are requested as in a jail, but in this process.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "proc/dwarf_priv.h"

#define TYPES_MAX 64 /* for each input */

typedef VEC(info_ref) refs;

static void read_text(const char *text)
{
	if (text && strlen(text) > 1 << 20)
		abort();
}

static void read_members(const info_list *list, refs *todo)
{
	if (list->n > DWARF_MEMBERS_MAX)
		abort();
	for (unsigned int i = 0; i < list->n; i++) {
		read_text(list->a[i].name);
		vec_push(todo, list->a[i].type);
	}
}

static void ask(struct dwarf *d, uint64_t addr)
{
	struct reader_place places[DWARF_PLACES_MAX];
	struct arena *a = arena_new();
	unsigned int n = dwarf_places(d, addr, places, a);
	struct info_function f = {.language = INFO_C};
	info_list list = {0};
	refs todo = {0};

	for (unsigned int i = 0; i < n; i++) {
		read_text(places[i].func);
		read_text(places[i].file);
	}
	dwarf_function(d, addr, &f);
	for (unsigned int i = 0; i < f.params.n; i++) {
		read_text(f.params.a[i].name);
		vec_push(&todo, f.params.a[i].type);
	}
	for (unsigned int i = 0; i < f.results.n; i++)
		vec_push(&todo, f.results.a[i]);
	info_function_free(&f);
	/* Any number can be taken for a type. */
	vec_push(&todo, addr);
	for (unsigned int i = 0; i < todo.n && i < TYPES_MAX; i++) {
		struct info_type t = {0};

		dwarf_type(d, todo.a[i], &t);
		read_text(t.name);
		vec_push(&todo, t.to);
		list.n = 0;
		dwarf_members(d, todo.a[i], &list);
		read_members(&list, &todo);
	}
	vec_free(&list);
	vec_free(&todo);
	arena_free(a);
}

/* Looks up names in the file, if it has them, and the type of a variable. */
static void find(struct dwarf *d, uint64_t addr)
{
	static const char *const names[] = {"struct s", "union u", "enum e", "int", "n::c", "t"};
	bool is_ambiguous;
	info_ref ref = 0;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (dwarf_find(d, names[i], &is_ambiguous) && is_ambiguous)
			abort();
	dwarf_variable(d, addr, &ref);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct dw *dw;
	char *copy = malloc(size + 1);
	struct dwarf_bytes file = {copy, copy + size};
	struct dwarf *d;

	if (!dw)
		dw = dw_open();
	if (!dw || !copy)
		abort();
	memcpy(copy, data, size);
	d = dwarf_open(dw, file, size % 2 ? file : (struct dwarf_bytes){NULL, NULL});
	for (uint64_t addr = 0; d && addr < 0x80; addr += 0x10)
		ask(d, addr);
	if (d)
		find(d, 0x4000);
	dwarf_close(d);
	free(copy);
	return 0;
}
