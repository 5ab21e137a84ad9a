/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lex_test.c: tokens: states, constants, macros, positions, and input that is not D at all.
 */
#include <stdlib.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/intern.h"
#include "lang/lex.h"
#include "test.h"
#include "type/type.h"

static struct arena *arena;
static struct lang *lang;
static struct diags diags;
static char *const operands[] = {"12", "name", "a b", "-0x10", "\"quoted\""};

static const char *token_text(const struct token *t)
{
	switch (t->kind) {
	case TOK_EOF:
		return "EOF";
	case TOK_ERROR:
		return "ERROR";
	case TOK_NUM:
		return arena_printf(arena, "%lld:%s", (long long)t->val,
				    t->type ? t->type->name : "-");
	case TOK_STR:
		return arena_printf(arena, "\"%s\"", t->s);
	case TOK_IDENT:
		return arena_printf(arena, "id(%s)", t->s);
	case TOK_AGG:
		return arena_printf(arena, "@%s", t->s);
	case TOK_PSPEC:
		return arena_printf(arena, "spec(%s)", t->s);
	case TOK_EPRED:
		return "EPRED";
	default:
		return scan_tok_text(t->kind);
	}
}

/* Returns all tokens of a text in one state, separated by blanks; errors end with their tag. */
static const char *scan(const char *text, enum lex_state state, enum lang_spec spec)
{
	struct source *src = arena_new_obj(arena, struct source);
	struct buf b = {0};
	struct lexer lx;
	struct token t;
	const char *res;
	unsigned int n = diags.n;

	src->text = text;
	src->len = (unsigned int)strlen(text);
	lex_init(&lx, lang, src, spec);
	for (int i = 0; i < 1000; i++) {
		lex_next(&lx, &t, state);
		if (t.kind == TOK_EOF)
			break;
		if (b.n)
			buf_putc(&b, ' ');
		buf_puts(&b, token_text(&t));
		if (diags.n > n)
			buf_printf(&b, "(%s)", diag_tag_name(diags.list[n++].tag));
	}
	if (diags.n > n)
		buf_printf(&b, "(%s)", diag_tag_name(diags.list[n].tag));
	res = arena_strdup(arena, buf_str(&b));
	buf_free(&b);
	return res;
}

#define EXPR(text, want)   CHECK_STR(scan(text, LEX_EXPR, LANG_SPEC_NONE), want)
#define CLAUSE(text, want) CHECK_STR(scan(text, LEX_CLAUSE, LANG_SPEC_NONE), want)
#define CMD(text, want)	   CHECK_STR(scan(text, LEX_CLAUSE, LANG_SPEC_NAME), want)

static void test_numbers(void)
{
	EXPR("0 17 017 0x1f", "0:int 17:int 15:int 31:int");
	EXPR("2147483647 2147483648", "2147483647:int 2147483648:long");
	EXPR("0x80000000 4294967296", "2147483648:unsigned int 4294967296:long");
	EXPR("1u 1l 1ul 1ll 1ull", "1:unsigned int 1:long 1:unsigned long 1:long long "
				   "1:unsigned long long");
	EXPR("18446744073709551615u", "-1:unsigned long");
	EXPR("18446744073709551616", "ERROR(D_INT_OFLOW)");
	EXPR("18446744073709551615 9223372036854775807",
	     "-1:unsigned long long 9223372036854775807:long");
	EXPR("0x7fffffff 0xffffffff 0x7fffffffffffffff 0xffffffffffffffff",
	     "2147483647:int 4294967295:unsigned int 9223372036854775807:long -1:unsigned long");
	EXPR("037777777777 01777777777777777777777", "4294967295:unsigned int -1:unsigned long");
	EXPR("02000000000000000000000", "ERROR(D_INT_OFLOW)");
	EXPR("0x10000000000000000", "ERROR(D_INT_OFLOW)");
	EXPR("4294967295U 4294967296u 2147483648L",
	     "4294967295:unsigned int 4294967296:unsigned long 2147483648:long");
	EXPR("1Ll 1Ul 0L 0x1uLL", "1:long long 1:unsigned long 0:long 1:unsigned long long");
	EXPR("1lll 1uu 0xg 0Xa 0xA",
	     "1:long long id(l) 1:unsigned int id(u) 0:int id(xg) 10:int 10:int");
	EXPR("1. 2", "ERROR(D_SYNTAX) 2:int");
	EXPR("07 08", "7:int ERROR(D_INT_DIGIT)");
	EXPR("09", "ERROR(D_INT_DIGIT)");
	EXPR("1.5 2", "ERROR(D_SYNTAX) 2:int");
	EXPR("1e5", "ERROR(D_SYNTAX)");
	EXPR(".5", "ERROR(D_SYNTAX)");
	EXPR("1..b", "1:int . . id(b)");
	EXPR("1.b. 1E-5 1E+ 1ex",
	     "ERROR(D_SYNTAX) ERROR(D_SYNTAX) - 5:int 1:int id(E) + 1:int id(ex)");
}

/* Macros of the process itself; each is an int. */
static void test_process(void)
{
	const struct {
		const char *name;
		int64_t want;
	} list[] = {
	    {"$pid", getpid()}, {"$ppid", getppid()}, {"$pgid", getpgrp()}, {"$sid", getsid(0)},
	    {"$uid", getuid()}, {"$euid", geteuid()}, {"$gid", getgid()},   {"$egid", getegid()},
	};

	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		char want[40];

		snprintf(want, sizeof(want), "%lld:int", (long long)list[i].want);
		EXPR(list[i].name, want);
		snprintf(want, sizeof(want), "\"%lld\"", (long long)list[i].want);
		EXPR(arena_printf(arena, "$%s", list[i].name), want);
	}
	EXPR("$nosuch", "ERROR(D_MACRO_UNDEF)");
}

static void test_strings(void)
{
	EXPR("\"a\\tb\\101\\x41\\q\"", "\"a\tbAA\\q\"");
	EXPR("\"a\n\"", "ERROR(D_STR_NL) ERROR(D_SYNTAX)");
	EXPR("\"open", "ERROR(D_SYNTAX)");
	EXPR("'a' 'ab' '\\n'", "97:int 24930:int 10:int");
	EXPR("'abcdefgh'", "7017280452245743464:long");
	EXPR("\"\\1011\\x414a\\8\\a\\\\\\\"\\'\"", "\"A1J\\8\a\\\"\\'\"");
	EXPR("\"\\b\\f\\n\\r\\v\\xg\\7\"", "\"\b\f\n\r\v\\xg\a\"");
	EXPR("\"a\\\"b\" c", "\"a\"b\" id(c)");
	EXPR("'\\'' '\\x' '\\x41' '\\0'", "23591:int 23672:int 65:int 0:int");
	EXPR("'\\377' 'a\n", "255:int ERROR(D_CHR_NL)");
	EXPR("'open", "ERROR(D_SYNTAX)");
	EXPR("''", "ERROR(D_CHR_NULL)");
	EXPR("'123456789'", "ERROR(D_CHR_OFLOW)");
}

/* Messages name tokens; these are the first and the last of their kinds in the table. */
static void test_texts(void)
{
	CHECK_STR(scan_tok_text(TOK_AUTO), "auto");
	CHECK_STR(scan_tok_text(TOK_WHILE), "while");
	CHECK_STR(scan_tok_text(TOK_ELLIPSIS), "...");
	CHECK_STR(scan_tok_text(TOK_EPRED), "/");
	CHECK_STR(scan_tok_text(TOK_EOF), "");
}

static void test_signs(void)
{
	EXPR("a+++b", "id(a) ++ + id(b)");
	EXPR("a<<=b>>c^^d", "id(a) <<= id(b) >> id(c) ^^ id(d)");
	EXPR("x->y.z[1]", "id(x) -> id(y) . id(z) [ 1:int ]");
	EXPR("a / b", "id(a) / id(b)");
	EXPR("a / {", "id(a) EPRED {");
	EXPR("a /\n;", "id(a) EPRED ;");
	EXPR("a /", "id(a) EPRED");
	EXPR("a // b", "id(a)");
	EXPR("@ @x[1] @_a", "@_ @x [ 1:int ] @_a");
	EXPR("mod.ko`sym `x a``b", "id(mod.ko`sym) id(`x) id(a``b)");
	EXPR("a \\\n b", "id(a) id(b)");
	EXPR("libstdc++.so.6`x a.b-c`y a+b`z",
	     "id(libstdc++.so.6`x) id(a) . id(b) - id(c`y) id(a) + id(b`z)");
	EXPR("m`a::b::c a::b m`a: :b m`a::1",
	     "id(m`a::b::c) id(a) : : id(b) id(m`a) : : id(b) id(m`a) : : 1:int");
	EXPR("m`struct x", "ERROR(D_UNKNOWN)");
	EXPR("m`structs x struct x", "id(m`structs) id(x) struct id(x)");
	EXPR("astruct x aunion x aenum x", "id(astruct) id(x) id(aunion) id(x) id(aenum) id(x)");
	EXPR("a / / b", "id(a) EPRED / id(b)");
	EXPR("a /= b / c; d /", "id(a) /= id(b) / id(c) ; id(d) EPRED");
	EXPR("a /* b /* c */ d", "id(a) ERROR(D_SYNTAX) id(c) * / id(d)");
	EXPR("a /* b /*c*/ d", "id(a) ERROR(D_SYNTAX) id(c) * / id(d)");
	EXPR("a /* b", "id(a) ERROR(D_SYNTAX)");
	EXPR("a // b\nc /**/ d /***/ e", "id(a) id(c) id(d) id(e)");
	EXPR("a\t\r\v\fb", "id(a) id(b)");
	EXPR("@a1_b @1 @-", "@a1_b @_ 1:int @_ -");
	EXPR("a&&b&=c&d", "id(a) && id(b) &= id(c) & id(d)");
	EXPR("a||b|=c|d", "id(a) || id(b) |= id(c) | id(d)");
	EXPR("a^b^=c<d<<e<=f>g>=h>>=i",
	     "id(a) ^ id(b) ^= id(c) < id(d) << id(e) <= id(f) > id(g) >= id(h) >>= id(i)");
	EXPR("a==b!=!c=-d--e-=f%g%=~h*i*=j?k:l",
	     "id(a) == id(b) != ! id(c) = - id(d) -- id(e) -= id(f) % id(g) %= ~ id(h) * id(i) *= "
	     "id(j) ? id(k) : id(l)");
	EXPR("a /* b */ c", "id(a) id(c)");
	EXPR("\001", "ERROR(D_SYNTAX)");
}

static void test_clauses(void)
{
	CLAUSE("BEGIN", "spec(BEGIN)");
	CLAUSE("syscall::open*:entry, a:::b /", "spec(syscall::open*:entry) , spec(a:::b) /");
	CLAUSE("int x", "int spec(x)");
	CLAUSE("int*x", "int spec(*x)");
	CLAUSE("uint64_t y", "id(uint64_t) spec(y)");
	CLAUSE("uint64_t {", "spec(uint64_t) {");
	CLAUSE("uint64_t: y", "spec(uint64_t:) spec(y)");
	CLAUSE("nosuch_t y", "spec(nosuch_t) spec(y)");
	CLAUSE("17", "17:int");
	CLAUSE("pid$target:a`b:[a-z]?\\*:!x", "spec(pid$target:a`b:[a-z]?\\*:!x)");
	CMD("uint64_t y", "spec(uint64_t) spec(y)");
	CMD("int* y", "spec(int*) spec(y)");
}

static void test_macros(void)
{
	EXPR("$1 $2 $3 $4 $5", "12:int id(name) \"a b\" -16:int \"quoted\"");
	EXPR("$$1 $$2", "\"12\" \"name\"");
	EXPR("$6", "ERROR(D_MACRO_UNDEF)");
	EXPR("$1x $target_ $12", "12:int id(x) ERROR(D_MACRO_UNDEF) ERROR(D_MACRO_UNDEF)");
	EXPR("$ 1", "ERROR(D_SYNTAX) 1:int");
	EXPR("$$0 $$6", "\"prog\" ERROR(D_MACRO_UNDEF)");
	EXPR("$nosuch", "ERROR(D_MACRO_UNDEF)");
	EXPR("$target $$target", "42:int \"42\"");
	EXPR("$0", "\"prog\"");
	CHECK_STR(lex_macro_text(lang, "1", 1), "12");
	CHECK_STR(lex_macro_text(lang, "target", 6), "42");
	CHECK(lex_macro_text(lang, "9", 1) == NULL);
	EXPR("$pid", arena_printf(arena, "%d:int", (int)getpid()));
}

static void test_positions(void)
{
	static const char text[] = "a\n  b /* c\n */ d\n# 10 \"f.d\"\ne";
	struct source src = {.text = text, .len = sizeof(text) - 1};
	struct lexer lx;
	struct token t;

	lex_init(&lx, lang, &src, LANG_SPEC_NONE);
	lex_next(&lx, &t, LEX_EXPR);
	CHECK_INT(t.loc.line, 1);
	CHECK_INT(t.loc.col, 1);
	lex_next(&lx, &t, LEX_EXPR);
	CHECK_INT(t.loc.line, 2);
	CHECK_INT(t.loc.col, 3);
	lex_next(&lx, &t, LEX_EXPR);
	CHECK_INT(t.loc.line, 3);
	lex_next(&lx, &t, LEX_EXPR);
	CHECK_INT(t.loc.line, 10);
	CHECK_STR(t.loc.file ? t.loc.file : "none", "f.d");
	/* The preprocessor changes columns. */
	CHECK_INT(t.loc.col, 0);
}

/* Any bytes give tokens and errors, never anything worse. */
static void test_garbage(void)
{
	unsigned int seed = 1;
	char text[64];

	for (int i = 0; i < 20000; i++) {
		for (size_t j = 0; j < sizeof(text) - 1; j++) {
			seed = seed * 1103515245 + 12345;
			text[j] = "ab\"'\\/*$@#0x9.\n {};:`[]()-+<>=!~^&|%\001"[(seed >> 16) % 38];
		}
		text[sizeof(text) - 1] = '\0';
		scan(arena_strdup(arena, text), i & 1 ? LEX_EXPR : LEX_CLAUSE, LANG_SPEC_NAME);
		diags.n = 0;
	}
	CHECK(diags.n == 0);
}

int main(void)
{
	struct lang_env env = {
	    .target = 42, .has_target = true, .progname = "prog", .nargs = 5, .args = operands};
	struct intern *names;
	struct types *ts;

	arena = arena_new();
	diags.arena = arena;
	names = intern_new(arena);
	ts = types_new(arena, names, NULL);
	lang = lang_new(arena, names, ts, &diags, &env);
	test_numbers();
	test_process();
	test_strings();
	test_texts();
	test_signs();
	test_clauses();
	test_macros();
	test_positions();
	test_garbage();
	lang_free(lang);
	types_free(ts);
	intern_free(names);
	arena_free(arena);
	return TEST_DONE();
}
