/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * words.c: prints the words of the language and of the command, for manuals, syntax files and
 * checks, and the names and probes that the D libraries of its arguments declare.  Each line has a
 * kind, a name, and a prototype if one exists; for a probe, its provider and its name.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "lang/index.h"
#include "plan/plan.h"
#include "plan/probe.h"

static const char *kind_of(enum ident_kind kind)
{
	switch (kind) {
	case IDENT_BUILTIN:
		return "variable";
	case IDENT_FUNC:
		return "subroutine";
	case IDENT_ACTION:
		return "action";
	case IDENT_AGGFUNC:
		return "aggregating";
	default:
		return "other";
	}
}

/* Returns false after a message. */
static bool print_declared(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct arena *a = arena_new();
	struct buf text = {0};
	bool ok = fd >= 0 && buf_read(&text, fd);
	struct lang_index index;

	if (!ok)
		perror(path);
	index = lang_index(a, buf_str(&text), text.n);
	for (const struct index_name *n = index.names; n->name; n++)
		if (!n->in)
			printf("declared\t%s\n", n->name);
	for (const struct index_probe *p = index.probes; p->name; p++)
		printf("probe\t%s\t%s\n", p->prov, p->name);
	if (fd >= 0)
		close(fd);
	buf_free(&text);
	arena_free(a);
	return ok;
}

int main(int argc, char **argv)
{
#define KEYWORD(name, text, decl) printf("keyword\t%s\n", text);
#include "lang/token.def"
#define OPT(name, kind, when, initial, doc) printf("option\t%s\t%s\n", #name, #kind);
#include "config/opts.def"
#define DIAG(tag, when) printf("tag\t%s\n", #tag);
#include "base/diag.def"
#define DIALECT(row, doc) printf("dialect\t%s\n", #row);
#include "base/dialect.def"
	for (const struct lang_row *const *t = builtin_tables; *t; t++)
		for (const struct lang_row *r = *t; r->name; r++) {
			printf("%s\t%s\t%s\n", kind_of(r->kind), r->name, r->proto ? r->proto : "");
			if (r->flags & LANG_EXTENSION)
				printf("extension\t%s\n", r->name);
		}
	for (unsigned int i = 0; i < provider_count; i++)
		if (strcmp(provider_table[i]->name, HOSTED_PROVIDER) != 0) /* internal */
			printf("provider\t%s\n", provider_table[i]->name);
	for (int i = 1; i < argc; i++)
		if (!print_declared(argv[i]))
			return 1;
	return 0;
}
