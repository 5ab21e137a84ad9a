/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * json.h: saved output, record by record.  A file has one document of all records (option
 * oformat=json), or a record per line (jsonl); docs/json.md describes both.
 */
#ifndef SINK_JSON_H
#define SINK_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json;
struct json_object; /* of json-c */
struct report;

/*
 * Calls record for each record in the file, and for the facts of a run in a document.  Their
 * objects are valid during the call.  Returns false after reporting an error.
 */
bool json_read(const struct report *report, const char *path,
	       void (*record)(void *ctx, struct json *j, struct json_object *o), void *ctx);

/* Each allows any object and NULL: the member is NULL, the length 0, the text "", the number 0. */
struct json_object *json_member(struct json *j, struct json_object *o, const char *name);
size_t json_length(struct json *j, struct json_object *o);
struct json_object *json_item(struct json *j, struct json_object *list, size_t i);
const char *json_text(struct json *j, struct json_object *o);
const char *json_text_of(struct json *j, struct json_object *o, const char *member);
int64_t json_int(struct json *j, struct json_object *o);
uint64_t json_uint(struct json *j, struct json_object *o);
bool json_is_list(struct json *j, struct json_object *o);
bool json_is_int(struct json *j, struct json_object *o);

/* Returns the function of a row of an aggregation, and its value; NULL: it is no row. */
const char *json_function(struct json *j, struct json_object *row, struct json_object **value);

/* Returns true for the facts of a run: a record of its own, or a part of a document. */
bool json_is_run(struct json *j, struct json_object *o);

/* Returns the name in a frame of a stack. */
const char *json_symbol(struct json *j, struct json_object *frame);

#endif
