/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz_lang.c: any bytes as a D script: lexer, parser, checker.  The first byte chooses the form of
 * the text (script, or one of the options with a description).
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/intern.h"
#include "lang/index.h"
#include "lang/lang.h"
#include "lower/lower.h"
#include "type/type.h"

static bool match(void *ctx, const struct pdesc *d, struct lang_args *args, const void **handle,
		  const char **err)
{
	struct types *ts = ctx;
	static struct type *native[2];
	static unsigned int map[2] = {0, 1};

	*err = NULL;
	*handle = NULL;
	memset(args, 0, sizeof(*args));
	native[0] = type_int(ts, 4, true);
	native[1] = type_ptr(ts, type_int(ts, 1, true));
	args->nprobes = 1;
	args->nnative = args->nxlated = 2;
	args->native = args->xlated = native;
	args->map = map;
	for (int i = 0; i < 5; i++)
		args->attrs[i] = "Stable/Stable/Common";
	return true;
}

static const char *setopt(void *ctx, const char *name, const char *value)
{
	return NULL;
}

static const char *getopt_(void *ctx, const char *name)
{
	return strcmp(name, "strsize") == 0 ? "256" : NULL;
}

static bool ksym(void *ctx, const char *module, const char *name, struct lang_ksym *res)
{
	return false;
}

static bool have(void *ctx, const char *kind, const char *name)
{
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *a = arena_new();
	struct intern *names = intern_new(a);
	struct types *types = types_new(a, names, NULL);
	struct diags diags = {.arena = a};
	struct lang_env env = {.ctx = types,
			       .match = match,
			       .setopt = setopt,
			       .getopt = getopt_,
			       .ksym = ksym,
			       .have = have,
			       .progname = "fuzz"};
	struct lang *l = lang_new(a, names, types, &diags, &env);
	enum lang_spec spec = size ? (enum lang_spec)(data[0] % 6) : LANG_SPEC_NONE;
	struct source src = {.name = "fuzz.d", .is_cmdline = spec != LANG_SPEC_NONE};

	for (const struct lang_row *const *t = builtin_tables; *t; t++) {
		unsigned int n = 0;

		while ((*t)[n].name)
			n++;
		lang_add_rows(l, *t, n);
	}
	src.text = arena_strndup(a, (const char *)data + (size > 0), size - (size > 0));
	src.len = (unsigned int)strlen(src.text);
	lang_index(a, src.text, src.len);
	lang_compile(l, &src, spec);
	lang_free(l);
	types_free(types);
	intern_free(names);
	arena_free(a);
	return 0;
}
