/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * structured.h: the back end that writes data as a document instead of text (option oformat):
 *
 *   {"dtrace": {"probes": [{"timestamp":NS, "cpu":0, "id":1, "provider":"dtrace", "module":"",
 *    "function":"", "name":"BEGIN", "output": [{"value":1}, {"message":"text"}, {"value":2}]}]}}
 *
 * A record appears if an action gave data; losses are records of a probe
 * dtrace:INTERNAL:INTERNAL:DROP.
 *
 * Format jsonl has no document around the records: each is a line by itself, with its "type" in
 * front, and so are rows of aggregations, errors, losses and the ends of processes (docs/json.md).
 */
#ifndef OUT_STRUCTURED_H
#define OUT_STRUCTURED_H

#include <stdbool.h>
#include <stdio.h>

struct out;

/* Is this a format: "json", "jsonl", "xml", "html", "text", with ",pretty"? */
bool structured_is_format(const char *format);

/* Is what it makes one document: not text, and not lines? */
bool structured_is_document(const char *format);

/* Let the writer make a document in f; it stays as it is for "text".  out_finish ends it. */
void structured_init(struct out *o, FILE *f, const char *format);

#endif
