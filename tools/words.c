/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * words.c: prints the words of the language and of the command, for manuals, syntax files and
 * checks.  Each line has a kind, a name, and a prototype if one exists.
 */
#include <stdio.h>
#include <string.h>

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

int main(void)
{
#define KEYWORD(name, text, decl) printf("keyword\t%s\n", text);
#include "lang/token.def"
#define OPT(name, kind, when, initial, doc) printf("option\t%s\t%s\n", #name, #kind);
#include "config/opts.def"
	for (const struct lang_row *const *t = builtin_tables; *t; t++)
		for (const struct lang_row *r = *t; r->name; r++)
			printf("%s\t%s\t%s\n", kind_of(r->kind), r->name, r->proto ? r->proto : "");
	for (unsigned int i = 0; i < provider_count; i++)
		if (strcmp(provider_table[i]->name, HOSTED_PROVIDER) != 0) /* internal */
			printf("provider\t%s\n", provider_table[i]->name);
	return 0;
}
