/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * json.c: see json.h.  json-c parses the text.  It is loaded on demand, to keep the start of dtrace
 * short.
 */
#include <errno.h>
#include <fcntl.h>
#include <json-c/json_object.h>
#include <json-c/json_tokener.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/library.h"
#include "base/mem.h"
#include "config/report.h"
#include "sink/json.h"

#define LIBRARY "libjson-c.so.5"
#define PIECE	65536

#define FUNCTIONS(X)                  \
	X(json_tokener_new)           \
	X(json_tokener_free)          \
	X(json_tokener_parse_ex)      \
	X(json_tokener_get_error)     \
	X(json_tokener_get_parse_end) \
	X(json_tokener_error_desc)    \
	X(json_object_put)            \
	X(json_object_is_type)        \
	X(json_object_object_get_ex)  \
	X(json_object_array_length)   \
	X(json_object_array_get_idx)  \
	X(json_object_get_string)     \
	X(json_object_get_int64)      \
	X(json_object_get_uint64)

struct json {
	void *lib;
	uint64_t line; /* position of the reader, from 1 */
	uint64_t column;
	bool has_document; /* the file is one document of all records */
	bool has_any;	   /* something that dtrace writes was found */
	void (*record)(void *ctx, struct json *j, struct json_object *o);
	void *ctx;
	struct json_object *run; /* facts in the current document; NULL: none */
	LIBRARY_MEMBERS(FUNCTIONS)
};

/* ---- access ---- */

struct json_object *json_member(struct json *j, struct json_object *o, const char *name)
{
	struct json_object *m = NULL;

	if (j->json_object_is_type(o, json_type_object))
		j->json_object_object_get_ex(o, name, &m);
	return m;
}

size_t json_length(struct json *j, struct json_object *o)
{
	return json_is_list(j, o) ? j->json_object_array_length(o) : 0;
}

struct json_object *json_item(struct json *j, struct json_object *list, size_t i)
{
	return j->json_object_array_get_idx(list, i);
}

const char *json_text(struct json *j, struct json_object *o)
{
	const char *t = o ? j->json_object_get_string(o) : NULL;

	return t ? t : "";
}

const char *json_text_of(struct json *j, struct json_object *o, const char *member)
{
	return json_text(j, json_member(j, o, member));
}

int64_t json_int(struct json *j, struct json_object *o)
{
	return j->json_object_get_int64(o);
}

uint64_t json_uint(struct json *j, struct json_object *o)
{
	return j->json_object_get_uint64(o);
}

bool json_is_list(struct json *j, struct json_object *o)
{
	return j->json_object_is_type(o, json_type_array);
}

bool json_is_int(struct json *j, struct json_object *o)
{
	return j->json_object_is_type(o, json_type_int);
}

/* The name of the member with the value is the name of the function. */
const char *json_function(struct json *j, struct json_object *row, struct json_object **value)
{
	static const char *const names[] = {"buckets", "count", "sum",	  "avg",
					    "min",     "max",	"stddev", NULL};
	unsigned int i = 0;

	while (names[i] && !(*value = json_member(j, row, names[i])))
		i++;
	if (!names[i])
		return NULL;
	return i == 0 ? "quantize" : i == 1 && json_member(j, row, "avg") ? "stats" : names[i];
}

bool json_is_run(struct json *j, struct json_object *o)
{
	return o == j->run || strcmp(json_text_of(j, o, "type"), "run") == 0;
}

const char *json_symbol(struct json *j, struct json_object *frame)
{
	return json_text_of(j, frame, "symbol");
}

/* ---- documents ---- */

static void add_record(struct json *j, struct json_object *o)
{
	j->has_any |= json_member(j, o, "output") || json_member(j, o, "type");
	j->record(j->ctx, j, o);
}

static void add_document(struct json *j, struct json_object *o)
{
	struct json_object *dtrace = json_member(j, o, "dtrace");
	struct json_object *probes = json_member(j, dtrace, "probes");

	j->run = json_member(j, dtrace, "run");
	if (j->run)
		j->record(j->ctx, j, j->run);
	j->has_any |= probes != NULL;
	j->has_document |= probes != NULL;
	if (!probes)
		add_record(j, o);
	for (size_t i = 0; i < json_length(j, probes); i++)
		add_record(j, json_item(j, probes, i));
}

/* ---- the file ---- */

static void advance(struct json *j, const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		j->column = p[i] == '\n' ? 1 : j->column + 1;
		j->line += p[i] == '\n';
	}
}

/*
 * Adds the documents that end in these bytes.  Returns NULL, or the error.  is_inside: a document
 * continues.
 */
static const char *feed(struct json *j, struct json_tokener *t, const char *p, size_t n,
			bool *is_inside)
{
	while (n) {
		struct json_object *o;
		size_t used;

		if (!*is_inside && strchr(" \t\r\n", *p)) {
			advance(j, p++, 1);
			n--;
			continue;
		}
		if (!*is_inside && j->has_document)
			return "another document follows the first";
		o = j->json_tokener_parse_ex(t, p, (int)n);
		used = j->json_tokener_get_parse_end(t);
		advance(j, p, used);
		*is_inside = j->json_tokener_get_error(t) == json_tokener_continue;
		if (!*is_inside && j->json_tokener_get_error(t) != json_tokener_success)
			return j->json_tokener_error_desc(j->json_tokener_get_error(t));
		if (*is_inside)
			return NULL;
		add_document(j, o);
		j->json_object_put(o);
		p += used;
		n -= used;
	}
	return NULL;
}

static const char *read_documents(struct json *j, int fd)
{
	struct json_tokener *t = j->json_tokener_new();
	char *piece = mem_alloc(PIECE);
	const char *why = NULL;
	bool is_inside = false;
	ssize_t n = 1;

	while (!why && (n = read(fd, piece, PIECE)) > 0)
		why = feed(j, t, piece, (size_t)n, &is_inside);
	if (!why && n < 0)
		why = strerror(errno);
	if (!why && is_inside)
		why = "the document has no end";
	if (!why && !j->has_any)
		why = "not an output of dtrace with option oformat=json or jsonl";
	j->json_tokener_free(t);
	mem_free(piece);
	return why;
}

bool json_read(const struct report *report, const char *path,
	       void (*record)(void *ctx, struct json *j, struct json_object *o), void *ctx)
{
	struct json j = {.line = 1, .column = 1, .record = record, .ctx = ctx};
	const char *why = NULL;
	int fd;

	if (!library_open(&j, LIBRARY, FUNCTIONS))
		why = LIBRARY " is not installed";
	fd = why ? -1 : file_open(path, O_RDONLY);
	if (!why && fd < 0)
		why = strerror(errno);
	else if (!why)
		why = read_documents(&j, fd);
	if (why && j.line + j.column > 2)
		report_error(report, "could not read '%s': line %llu, column %llu: %s", path,
			     (unsigned long long)j.line, (unsigned long long)j.column, why);
	else if (why)
		report_error(report, "could not read '%s': %s", path, why);
	if (fd >= 0)
		close(fd);
	library_close(&j);
	return !why;
}
