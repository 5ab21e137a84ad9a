/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lang_test.c: the interface of the front end beside compilation: names of types, declared probes,
 * stability, versions, and the limit of variables.
 */
#include <stdlib.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/intern.h"
#include "lang/lang.h"
#include "lang/version.h"
#include "lower/lower.h"
#include "test.h"
#include "type/type.h"

static struct arena *arena;
static struct lang *l;
static struct diags diags;

static bool match(void *ctx, const struct pdesc *d, struct lang_args *args, const void **handle,
		  const char **err)
{
	args->nprobes = 1;
	args->attrs[0] = "Evolving/Evolving/ISA";
	args->attrs[3] = "Stable/Unstable/Common";
	return true;
}

static struct program *compile(const char *text, bool is_library)
{
	struct source *src = arena_new_obj(arena, struct source);

	src->name = "test";
	src->text = text;
	src->len = (unsigned int)strlen(text);
	src->is_library = is_library;
	return is_library ? lang_compile_library(l, src) : lang_compile(l, src, LANG_SPEC_NONE);
}

/* Returns the type that a text names as text, or "none". */
static const char *type_named(const char *name)
{
	const struct type *t = lang_typename(l, name);
	struct buf b = {0};
	const char *s;

	if (!t)
		return "none";
	type_print(&b, t);
	s = arena_strdup(arena, buf_str(&b));
	buf_free(&b);
	return s;
}

static void test_type_names(void)
{
	CHECK(
	    compile("struct known { int a; }; typedef int mine_t; int variable; BEGIN { }", false));
	CHECK_STR(type_named("int"), "int");
	CHECK_STR(type_named("struct known *"), "struct known *");
	CHECK_STR(type_named("char [8]"), "char [8]");
	CHECK_STR(type_named("mine_t"), "mine_t");
	CHECK_STR(type_named("mine_t *"), "mine_t *");
	CHECK_STR(type_named("struct unknown"), "none");
	CHECK_STR(type_named("struct unknown **"), "none");
	CHECK_STR(type_named("struct unknown *[2]"), "none");
	CHECK_STR(type_named("variable"), "none");
	CHECK_STR(type_named("nosuch_t"), "none");
	CHECK_STR(type_named("int x"), "none");
	CHECK_STR(type_named("int *)"), "none");
	CHECK_STR(type_named("int ["), "none");
	CHECK_STR(type_named("char []"), "none");
	CHECK_STR(type_named(""), "none");
	CHECK_STR(type_named("5"), "none");
	CHECK_INT(diags.n, 0);
}

static void test_probes(void)
{
	const struct provider_decl *pv = NULL;
	const struct probe_decl *d;

	CHECK(compile("provider other { probe a(long x); };"
		      "provider one { probe a(int x); probe m:f:b(int x); };",
		      true));
	d = lang_provider_probe(l, "one", "a", &pv);
	CHECK(d && d->nnative == 1 && d->native[0].type->size == 4);
	CHECK(pv && strcmp(pv->name, "one") == 0);
	CHECK(!lang_provider_probe(l, "one", "b", &pv) && pv);
	CHECK(!lang_provider_probe(l, "two", "a", &pv) && !pv);
}

/* Returns the attributes of a provider as text. */
static const char *attributes(const char *prov)
{
	const struct provider_decl *pv = NULL;
	struct buf b = {0};
	const char *s;

	lang_provider_probe(l, prov, "a", &pv);
	for (unsigned int i = 0; pv && i < 5; i++)
		buf_printf(&b, "%s ", pv->attrs[i]);
	s = arena_strdup(arena, buf_str(&b));
	buf_free(&b);
	return s;
}

/* Pragmas set the attributes of a provider that is declared before them or after them. */
static void test_attributes(void)
{
	CHECK(compile("provider before { probe a(); };\n"
		      "provider between { probe a(); };\n"
		      "#pragma D attributes Evolving/Private/ISA provider before provider\n"
		      "#pragma D attributes Stable/Private/ISA provider before module\n"
		      "#pragma D attributes Stable/Stable/ISA provider before args\n"
		      "#pragma D attributes Private/Private/ISA provider after function\n"
		      "#pragma D attributes Private/Private/CPU provider after name\n"
		      "provider after { probe a(); };\n",
		      true));
	CHECK_STR(attributes("before"), "Evolving/Private/ISA Stable/Private/ISA "
					"Private/Private/Unknown Evolving/Evolving/ISA "
					"Stable/Stable/ISA ");
	CHECK_STR(attributes("between"),
		  "Evolving/Evolving/ISA Private/Private/Unknown Private/Private/Unknown "
		  "Evolving/Evolving/ISA Evolving/Evolving/ISA ");
	CHECK_STR(attributes("after"), "Evolving/Evolving/ISA Private/Private/Unknown "
				       "Private/Private/ISA Private/Private/CPU "
				       "Evolving/Evolving/ISA ");
}

/* Returns the fields of the descriptions in a text of the command line. */
static const char *fields(const char *text, enum lang_spec spec)
{
	struct source *src = arena_new_obj(arena, struct source);
	struct program *p;
	struct buf b = {0};
	const char *s;

	src->name = "test";
	src->text = text;
	src->len = (unsigned int)strlen(text);
	p = lang_compile(l, src, spec);
	for (const struct clause *c = p ? p->clauses : NULL; c; c = c->next) {
		const struct pdesc *d = &c->descs[0];
		const char *const list[] = {d->target, d->prov, d->mod, d->func, d->name};

		for (unsigned int j = 0; j < 5; j++)
			buf_printf(&b, "%s%s", list[j] ? list[j] : "", j < 4 ? ":" : " ");
	}
	s = arena_strdup(arena, buf_str(&b));
	buf_free(&b);
	return s;
}

/* The last field of a description on the command line depends on the option. */
static void test_fields(void)
{
	CHECK_STR(fields("a", LANG_SPEC_PROVIDER), ":a::: ");
	CHECK_STR(fields("b", LANG_SPEC_MODULE), "::b:: ");
	CHECK_STR(fields("a:b, b { trace(1); }", LANG_SPEC_MODULE), ":a:b:: ::b:: ");
	CHECK_STR(fields("c", LANG_SPEC_FUNCTION), ":::c: ");
	CHECK_STR(fields("a:b:c, b:c", LANG_SPEC_FUNCTION), ":a:b:c: ::b:c: ");
	CHECK_STR(fields("d", LANG_SPEC_NAME), "::::d ");
	CHECK_STR(fields("a:b:c:d, b:c:d, c:d", LANG_SPEC_NAME), ":a:b:c:d ::b:c:d :::c:d ");
	CHECK_STR(fields("a:::, :::d", LANG_SPEC_NAME), ":a::: ::::d ");
}

/* Keys of aggregations keep their text, on one line: labels of metrics use it. */
static void test_key_texts(void)
{
	struct program *p =
	    compile("BEGIN { @[pid ,\n  id  +\n\t 1, execname] = count(); }", false);
	const struct expr *agg = p ? p->clauses->parts[0].stmts->expr->x : NULL;

	CHECK(agg && agg->nargs == 3 && agg->texts);
	if (!agg || !agg->texts)
		return;
	CHECK_STR(agg->texts[0], "pid");
	CHECK_STR(agg->texts[1], "id + 1");
	CHECK_STR(agg->texts[2], "execname");
}

static void test_stability(void)
{
	struct program *p = compile("int kept; BEGIN { kept = 1; } p:::END { kept = pid; }", false);
	const char *desc = NULL, *stmt = NULL;

	CHECK(p != NULL);
	if (!p)
		return;
	lang_clause_stability(l, p->clauses, &desc, &stmt);
	CHECK_STR(desc, "Unstable/Unstable/Common");
	CHECK_STR(stmt, "Stable/Stable/Common");
	lang_clause_stability(l, p->clauses->next, &desc, &stmt);
	CHECK_STR(desc, "Evolving/Unstable/ISA");
	CHECK_STR(stmt, "Stable/Stable/Common");
	lang_stability(l, p, &desc, &stmt);
	CHECK_STR(desc, "Unstable/Unstable/ISA");
	CHECK_STR(lang_attributes_min(l, "Private/Standard/CPU", "Stable/Obsolete/Group"),
		  "Private/Obsolete/CPU");
	CHECK_STR(lang_attributes_min(l, "Private/Standard/CPU", "nonsense"),
		  "Private/Standard/CPU");
	CHECK_STR(lang_attributes_min(l, "nonsense", "Private/Standard/CPU"), "nonsense");
	CHECK(lang_is_attributes("internal/PRIVATE/Unknown"));
	CHECK(!lang_is_attributes("Internal/Private"));
	CHECK(!lang_is_attributes("Internal"));
	CHECK(!lang_is_attributes("Internal/Private/Unknown/"));
	CHECK(!lang_is_attributes("Common/Private/Unknown"));
	CHECK(!lang_is_attributes("Private/Common/Unknown"));
	CHECK(!lang_is_attributes("Private/Private/Stable"));
}

static void test_versions(void)
{
	static const char *const bad[] = {"1",	   "",	     "1.",	 "1.2.", "1.2.3.4", "a.1",
					  "256.0", "1.4096", "1.0.4096", "1.-1", "1 .2",    ".1"};
	uint32_t v = 0;

	CHECK(version_parse("1.2.3", &v));
	CHECK_INT(v, 0x01002003);
	CHECK(version_parse("255.4095.4095", &v));
	CHECK_INT(v, 0xffffffff);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CHECK(!version_parse(bad[i], &v));
	CHECK(version_parse("1.0", &v) && version_is_known(v));
	CHECK(version_parse("1.12.1", &v) && version_is_known(v));
	CHECK(version_parse(VERSION_LATEST, &v) && version_is_known(v));
	CHECK(version_parse("1.2.9", &v) && !version_is_known(v));
	CHECK(version_parse("2.0", &v) && !version_is_known(v));
	CHECK_STR(version_since("json"), "1.11");
	CHECK(!version_since("trace"));
}

/* Returns the unit of the value of an expression, or "none". */
static const char *unit_of(const char *expr)
{
	const char *text = arena_printf(arena, "BEGIN { this->value = %s; }", expr);
	struct program *p = compile(text, false);
	const char *unit =
	    p ? measure_name(measure_of(p->clauses->parts->stmts->expr->y)) : "error";

	return unit ? unit : "none";
}

static void test_units(void)
{
	static const struct {
		const char *expr, *unit;
	} list[] = {
	    {"timestamp", "ns"},
	    {"vtimestamp - start", "ns"},
	    {"timestamp / 1000", "us"},
	    {"timestamp / 1", "ns"},
	    {"timestamp / 1000000", "ms"},
	    {"timestamp / 1000000000", "s"},
	    {"timestamp / 1000 / 1000", "ms"},
	    {"timestamp / 1000 / 1000000", "s"},
	    {"timestamp / 1000 / 1000000000", "none"},
	    {"timestamp / 1000000 / 1000", "s"},
	    {"timestamp / 1000000000 / 1", "s"},
	    {"timestamp / 1000000000 / 1000", "none"},
	    {"timestamp / 7", "none"},
	    {"timestamp / plain", "none"},
	    {"plain / 1000", "none"},
	    {"bytes / 1000", "none"},
	    {"timestamp * 2", "none"},
	    {"timestamp - plain", "ns"},
	    {"plain + timestamp", "ns"},
	    {"timestamp + 5", "ns"},
	    {"timestamp + bytes", "none"},
	    {"-timestamp", "ns"},
	    {"+timestamp", "ns"},
	    {"~timestamp", "none"},
	    {"start", "ns"},
	    {"mixed", "none"},
	    {"plain", "none"},
	    {"pid", "none"},
	    {"bytes", "bytes"},
	    {"(size_t)plain", "bytes"},
	    {"(ssize_t)plain", "bytes"},
	    {"(int)timestamp", "ns"},
	    {"(size_t)timestamp", "none"},
	    {"plain ? timestamp : start", "ns"},
	    {"plain ? timestamp : 0", "ns"},
	    {"plain ? 0 : timestamp", "ns"},
	    {"plain ? timestamp : bytes", "none"},
	    {"plain ? plain : timestamp", "ns"},
	    {"plain ? mixed : timestamp", "none"},
	    {"start = timestamp", "ns"},
	    {"list[1]", "us"},
	    {"5", "none"},
	};
	static const struct {
		const char *name, *unit;
	} names[] = {
	    {"wait_ns", "ns"}, {"wait_us", "us"},   {"wait_ms", "ms"},	     {"wait_s", "s"},
	    {"ns", "ns"},      {"bytes", "bytes"},  {"read_bytes", "bytes"}, {"s", "none"},
	    {"a_b_us", "us"},  {"us_wait", "none"}, {"waitus", "none"},	     {"", "none"},
	};

	CHECK(compile("int plain; size_t bytes; BEGIN { start = timestamp; mixed = timestamp; "
		      "mixed = bytes; list[0] = timestamp / 1000; }",
		      false));
	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		const char *unit = unit_of(list[i].expr);

		CHECK_STR(unit, list[i].unit);
		if (strcmp(unit, list[i].unit) != 0)
			printf("%s\n", list[i].expr);
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *unit = measure_name(measure_of_name(names[i].name));

		CHECK_STR(unit ? unit : "none", names[i].unit);
	}
}

/* There can be 32768 variables of a kind. */
static void test_limit(void)
{
	struct buf b = {0};
	unsigned int most = 32768;

	for (unsigned int i = 0; i < most; i++)
		buf_printf(&b, "self int v%u;\n", i);
	CHECK(compile(buf_str(&b), true) != NULL);
	CHECK(!compile("self int more;", true));
	CHECK(diags.n == 1 && diags.list[0].tag == D_ID_OFLOW);
	buf_free(&b);
}

int main(void)
{
	struct lang_env env = {.match = match};
	struct intern *names;
	struct types *types;

	arena = arena_new();
	diags.arena = arena;
	names = intern_new(arena);
	types = types_new(arena, names, NULL);
	l = lang_new(arena, names, types, &diags, &env);
	for (const struct lang_row *const *t = builtin_tables; *t; t++) {
		unsigned int n = 0;

		while ((*t)[n].name)
			n++;
		lang_add_rows(l, *t, n);
	}
	test_type_names();
	test_probes();
	test_attributes();
	test_fields();
	test_key_texts();
	test_stability();
	test_versions();
	test_units();
	test_limit();
	lang_free(l);
	types_free(types);
	intern_free(names);
	arena_free(arena);
	return TEST_DONE();
}
