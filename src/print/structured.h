/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * structured.h: the back end that writes data as a document instead of text (option oformat):
 *
 *   {"dtrace": {"probes": [{"timestamp":NS, "cpu":0, "id":1, "provider":"dtrace", "module":"",
 *    "function":"", "name":"BEGIN", "output": [{"value":1}, {"message":"text"}, {"value":2}]}]}}
 *
 * A record appears if an action gave data.  Losses are records of a probe
 * dtrace:INTERNAL:INTERNAL:DROP.
 *
 * Format jsonl has no document around the records: each record is a line by itself, and begins with
 * its "type".  Rows of aggregations, errors, losses and ends of processes are lines too
 * (docs/json.md).
 */
#ifndef PRINT_STRUCTURED_H
#define PRINT_STRUCTURED_H

#include <stdbool.h>
#include <stdio.h>

struct out;

/* Returns true for a format: "json", "jsonl", "xml", "html", "text", also with ",pretty". */
bool structured_is_format(const char *format);

/* Returns true if the format makes one document: not text, and not lines. */
bool structured_is_document(const char *format);

/* Makes the writer write a document to f.  Format "text" changes nothing.  out_finish ends the
 * document. */
void structured_init(struct out *o, FILE *f, const char *format);

/* Makes the writer drop all data.  A listener has them. */
void structured_discard(struct out *o);

#endif
