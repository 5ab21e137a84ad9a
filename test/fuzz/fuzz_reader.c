/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz_reader.c: any bytes as the answers of a jail that an attacker has taken over.
 */
#include <stdint.h>
#include <stdlib.h>

#define jail_ask	fuzz_ask
#define jail_new	fuzz_jail_new
#define jail_free	fuzz_jail_free
#define jail_error	fuzz_jail_error
#define reader_open	fuzz_reader_open
#define reader_close	fuzz_reader_close
#define reader_function fuzz_reader_function
#define reader_type	fuzz_reader_type
#define reader_members	fuzz_reader_members
#define reader_places	fuzz_reader_places
#define reader_find	fuzz_reader_find
#define reader_variable fuzz_reader_variable
#include "../../src/proc/reader.c"

static struct {
	const uint8_t *data;
	size_t size;
} input;

struct jail {
	int unused;
};

struct jail *fuzz_jail_new(const struct jail_reader *r)
{
	static struct jail j;

	return &j;
}

void fuzz_jail_free(struct jail *j)
{
}

const char *fuzz_jail_error(const struct jail *j)
{
	return NULL;
}

bool fuzz_ask(struct jail *j, const void *question, size_t n, struct buf *answer)
{
	buf_reset(answer);
	buf_add(answer, input.data, input.size);
	return true;
}

static size_t length(const char *text)
{
	return text ? strlen(text) : 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct debug_dir dir = {.path = "/nonexistent"};
	struct reader *r = reader_open(-1, "program", &dir);
	const struct reader_place *places;
	struct info_type t = {0};
	info_list list = {0};
	struct info_function f = {.language = INFO_C};
	bool is_ambiguous = false;
	size_t texts = 0;
	unsigned int n;
	info_ref ref;

	if (!r)
		abort();
	input.data = data;
	input.size = size;
	reader_function(r, 1, &f);
	reader_members(r, 1, &list);
	reader_type(r, 1, &t);
	places = reader_places(r, 1, &n);
	reader_find(r, "struct s", &is_ambiguous);
	reader_variable(r, 1, &ref);
	if (n > DWARF_PLACES_MAX || t.kind > INFO_FUNC)
		abort();
	for (unsigned int i = 0; i < f.params.n; i++) {
		if (f.params.a[i].npieces > INFO_PIECES)
			abort();
		texts += length(f.params.a[i].name);
	}
	for (unsigned int i = 0; i < list.n; i++)
		texts += length(list.a[i].name);
	for (unsigned int i = 0; i < n; i++)
		texts += length(places[i].func) + length(places[i].file);
	if (texts + length(t.name) > size * 4)
		abort();
	info_function_free(&f);
	vec_free(&list);
	reader_close(r);
	return 0;
}
