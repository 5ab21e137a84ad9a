/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * doc.h: a document of named values, objects and lists, written piece by piece: JSON, XML, or HTML
 * as libxo writes it (FreeBSD's libxo(3)).  In XML a list is its elements, each with the name of
 * the list.  In HTML each value is a div of class "data", each object a div of class "line".
 *
 * It uses no library: the ones in Debian build a tree in memory first, and a trace has no end.
 */
#ifndef PRINT_DOC_H
#define PRINT_DOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* DOC_JSONL: each line is a JSON document, which the caller begins and ends. */
enum doc_style { DOC_TEXT, DOC_JSON, DOC_JSONL, DOC_XML, DOC_HTML };

#define DOC_DEPTH 16

struct doc_level {
	const char *name; /* borrowed while the element is open */
	bool is_list;
	unsigned int n; /* members so far */
};

struct doc {
	FILE *f; /* not owned */
	enum doc_style style;
	bool pretty;
	bool is_empty; /* nothing is written yet */
	unsigned int depth;
	struct doc_level level[DOC_DEPTH];
};

/* Parses "json", "xml,pretty" and so on; returns false for anything else.  Text is no document, and
 * lines cannot be pretty. */
bool doc_parse(const char *format, enum doc_style *style, bool *pretty);

/* Begin and end a document.  doc_end closes all open elements. */
void doc_begin(struct doc *d, FILE *f, enum doc_style style, bool pretty);
void doc_end(struct doc *d);

/* Opens an object or list.  The name matters only inside an object. */
void doc_open(struct doc *d, const char *name, bool is_list);
void doc_close(struct doc *d);

/* Values: n bytes of text, with bytes that are not UTF-8 replaced; numbers. */
void doc_text(struct doc *d, const char *name, const char *s, size_t n);
void doc_str(struct doc *d, const char *name, const char *s);
void doc_int(struct doc *d, const char *name, int64_t v);
void doc_uint(struct doc *d, const char *name, uint64_t v);
void doc_thousandths(struct doc *d, const char *name, int64_t v); /* 1234 as 1.234 */

/* Writes null, true or false (RFC 8259, 3). */
void doc_word(struct doc *d, const char *name, const char *word);

#endif
