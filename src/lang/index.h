/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * index.h: what a D text declares, and which names it uses, without compiling it.  No types are
 * needed, so the libraries in the executable get their indexes when dtrace is built.
 */
#ifndef LANG_INDEX_H
#define LANG_INDEX_H

#include <stddef.h>

struct arena;

/* A name that the text declares, or the last word of a type that it translates to. */
struct index_name {
	const char *name;
	const char *in; /* translator: the last word of its input type; NULL: a declaration */
};

/* A probe that the text declares, with its published name. */
struct index_probe {
	const char *prov, *name;
};

/* A dependency of a text: #pragma D depends_on KIND NAME. */
struct index_depend {
	const char *kind, *name; /* "provider", "module" or "library" */
};

/* A row without a name ends each list. */
struct lang_index {
	const struct index_name *names;
	const struct index_probe *probes;
	const struct index_depend *depends;
	const char *of_process; /* provider whose name ends with INDEX_OF_PROCESS; NULL: none */
};

/* Stands for the number of a process in a library for all processes. */
#define INDEX_OF_PROCESS "$target"

/* TEXT ends with a NUL after its LEN bytes.  The result is in the arena. */
struct lang_index lang_index(struct arena *a, const char *text, size_t len);

enum index_word {
	INDEX_NAME,
	INDEX_SYMBOL, /* of a module, without its backquote */
	INDEX_OTHER,  /* members and keywords */
};

/* Calls F for each word of the text, except for the last field of descriptions. */
typedef void (*index_word_fn)(void *ctx, enum index_word kind, const char *s, unsigned int len);
void lang_words(const char *text, size_t len, index_word_fn f, void *ctx);

/* Returns the published name of a probe: "a-b" for "a__b". */
char *index_probe_name(struct arena *a, const char *s, size_t len);

#endif
