/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * doc.h: a document of named values, objects and lists, written as it comes: JSON, XML or HTML in
 * the manner of libxo (FreeBSD's libxo(3)).  In XML a list is its elements, each with the list's
 * name; in HTML each value is a div of class "data", each object a div of class "line".
 *
 * No library: those of Debian build a tree in memory first, and a trace has no end.
 */
#ifndef OUT_DOC_H
#define OUT_DOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* DOC_JSONL is a document of JSON for each line, which who writes them begins and ends. */
enum doc_style { DOC_TEXT, DOC_JSON, DOC_JSONL, DOC_XML, DOC_HTML };

#define DOC_DEPTH 16

struct doc_level {
	const char *name; /* borrowed while it is open */
	bool is_list;
	unsigned int n; /* members so far */
};

struct doc {
	FILE *f; /* not owned */
	enum doc_style style;
	bool pretty;
	bool is_empty; /* nothing was written */
	unsigned int depth;
	struct doc_level level[DOC_DEPTH];
};

/*
 * "json", "xml,pretty" ...: false if it is none of these.  Text is the absence of a document; lines
 * cannot be pretty.
 */
bool doc_parse(const char *format, enum doc_style *style, bool *pretty);

/* Begin a document; doc_end closes whatever is open. */
void doc_begin(struct doc *d, FILE *f, enum doc_style style, bool pretty);
void doc_end(struct doc *d);

/* An object or list; its name counts only within an object. */
void doc_open(struct doc *d, const char *name, bool is_list);
void doc_close(struct doc *d);

/* Values: n bytes of text, of which what is no UTF-8 is replaced; numbers. */
void doc_text(struct doc *d, const char *name, const char *s, size_t n);
void doc_str(struct doc *d, const char *name, const char *s);
void doc_int(struct doc *d, const char *name, int64_t v);
void doc_uint(struct doc *d, const char *name, uint64_t v);

#endif
