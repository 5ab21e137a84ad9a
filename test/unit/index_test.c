/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * index_test.c: names that D text declares and uses, found without types.
 */
#include "base/arena.h"
#include "base/buf.h"
#include "lang/index.h"
#include "test.h"

static struct arena *arena;

static const char *taken(struct buf *b)
{
	const char *s = arena_strdup(arena, buf_str(b));

	buf_free(b);
	return s;
}

/* Returns declared names, "out<in" for a translator, "provider:probe", and "kind=dependency". */
static const char *declared(const char *text)
{
	struct lang_index x = lang_index(arena, text, strlen(text));
	struct buf b = {0};

	for (const struct index_name *n = x.names; n->name; n++)
		buf_printf(&b, "%s%s%s ", n->name, n->in ? "<" : "", n->in ? n->in : "");
	for (const struct index_probe *p = x.probes; p->name; p++)
		buf_printf(&b, "%s:%s ", p->prov, p->name);
	for (const struct index_depend *d = x.depends; d->name; d++)
		buf_printf(&b, "%s=%s ", d->kind, d->name);
	if (x.of_process)
		buf_printf(&b, "%s* ", x.of_process);
	return taken(&b);
}

static void put_word(void *ctx, enum index_word kind, const char *s, unsigned int len)
{
	buf_printf(ctx, "%s%.*s ",
		   kind == INDEX_SYMBOL	 ? "`"
		   : kind == INDEX_OTHER ? "."
					 : "",
		   (int)len, s);
}

/* Returns names, `symbols, and .others. */
static const char *words(const char *text)
{
	struct buf b = {0};

	lang_words(text, strlen(text), put_word, &b);
	return taken(&b);
}

#define DECLARED(text, want) CHECK_STR(declared(text), want)
#define WORDS(text, want)    CHECK_STR(words(text), want)

static void test_variables(void)
{
	DECLARED("int a; self int b, *c; this uint_t d[4];", "a b c d ");
	DECLARED("uint_t a[int, string]; struct s *b;", "a b ");
	DECLARED("conninfo_t*a;", "a ");
	DECLARED("extern int f(int x);", "f ");
	DECLARED("int f(int x) { int y; }\nint z;", "f z ");
	DECLARED("", "");
}

static void test_types(void)
{
	DECLARED("typedef struct s { int m; } s_t;", "s s_t ");
	DECLARED("struct fwd; union u { int m, n; };", "fwd u ");
	DECLARED("typedef uint_t a_t, b_t[2];", "a_t b_t ");
	DECLARED("typedef int (*call_t)(struct s *, int);", "call_t ");
	DECLARED("enum e { ONE, TWO = (1 + 1), THREE = TWO + sizeof (int) };", "e ONE TWO THREE ");
	DECLARED("typedef enum { A, B } ab_t;", "A B ab_t ");
}

static void test_inlines(void)
{
	DECLARED("inline int a = b == c ? d : e;", "a ");
	DECLARED("inline struct s *f[struct t *x, int y] = (struct s *)x->m[y];", "f ");
	DECLARED("inline string a = \"x; int b; {\"; inline int c = ';';", "a c ");
	DECLARED("inline int a = `jiffies; inline int b = a.out`counter;", "a b ");
}

static void test_translators(void)
{
	DECLARED("translator out_t < struct in *X > { m = X->m; n = 0; }; int a;", "out_t<in a ");
	DECLARED("translator struct out < uint64_t X > { };", "out<uint64_t ");
	DECLARED("translator out_t < unsigned long X > { };", "out_t<long ");
}

static void test_providers(void)
{
	DECLARED("provider p { probe a__b(int x) : (struct s *x); probe return(void); };",
		 "p p:a-b p:return ");
	DECLARED("provider p { probe mod::name(void); probe mod:func:name(int); }; int a;",
		 "p a p:name p:name ");
	DECLARED("provider lock$target { probe held(); };", "lock lock:held lock* ");
}

static void test_clauses(void)
{
	DECLARED("int a; BEGIN { x = 1; } int b; tick-1s, END / y / { z[1] = 2; } int c;",
		 "a b c ");
	DECLARED("site p:::a from q:::b for (c[0]) /d/ { return (e); }\n"
		 "else from r:::s { return (f); } and from t:::u { } int g;",
		 "g ");
	DECLARED("foo:b*r::entry{a=1;}int b;", "b ");
	DECLARED("5 { a = 1; } int b;", "b ");
	DECLARED("BEGIN { if (x) { y = \"}\"; } } int b;", "b ");
}

static void test_lines(void)
{
	DECLARED("#!/usr/sbin/dtrace -s\n#pragma D option quiet\nint a;", "a ");
	DECLARED("#pragma D depends_on library net.d\n# pragma D depends_on module nfs\nint a;",
		 "a library=net.d module=nfs ");
	DECLARED("/*\n#pragma D depends_on library net.d\nint a; */ // int b;\nint c;", "c ");
	DECLARED("#if 0\nint a;\n#endif\n", "a ");
}

/* Whatever is no D ends, and declares nothing wrong before it. */
static void test_errors(void)
{
	DECLARED("int a; provider", "a ");
	DECLARED("int a; provider p { probe", "a p p: ");
	DECLARED("int a; translator x <", "a x< ");
	DECLARED("int a; BEGIN / x", "a ");
	DECLARED("int a; /* open", "a ");
	DECLARED("int a; \"open", "a ");
	DECLARED("int a; ; } ) int b;", "a b ");
	DECLARED("enum { A", "A ");
	DECLARED("int f(", "f ");
}

static void test_words(void)
{
	WORDS("p:m:f:n { a = b->c.d; }", "p m f a b .c .d ");
	WORDS("p:::n-o /x == y/ { @z[k] = count(); }", "p x y k count ");
	WORDS("send { trace(\"word\" /* word */); }", "send trace ");
	WORDS("BEGIN { `sym; vmlinux`sym; libc.so.6`a; }", "BEGIN `sym `sym `a ");
	WORDS("#pragma D attributes Stable/Stable/ISA x\n",
	      "pragma D attributes Stable Stable ISA x ");
	WORDS("tcp$target:::a { $target; $1; }", "tcp ");
	WORDS("self t_t x;", ".self t_t x ");
	WORDS("t_t *x;", "t_t x ");
}

int main(void)
{
	arena = arena_new();
	test_variables();
	test_types();
	test_inlines();
	test_translators();
	test_providers();
	test_clauses();
	test_lines();
	test_errors();
	test_words();
	arena_free(arena);
	return TEST_DONE();
}
