/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * doc_test.c: documents in all styles; characters that need escapes; invalid UTF-8.
 */
#include <stdlib.h>

#include "print/doc.h"
#include "test.h"

/* Returns one document: a list of two objects, a list within, text. */
static const char *document(const char *format)
{
	static char *text;
	enum doc_style style;
	bool pretty;
	struct doc d;
	size_t n;
	FILE *f;

	free(text);
	CHECK(doc_parse(format, &style, &pretty));
	f = open_memstream(&text, &n);
	doc_begin(&d, f, style, pretty);
	doc_open(&d, "top", false);
	doc_open(&d, "rows", true);
	for (int i = -1; i < 1; i++) {
		doc_open(&d, NULL, false);
		doc_int(&d, "n", i);
		doc_open(&d, "keys", true);
		doc_str(&d, NULL, "a");
		doc_uint(&d, NULL, ~0ULL);
		doc_close(&d);
		doc_close(&d);
	}
	doc_end(&d);
	fclose(f);
	return text;
}

static void test_styles(void)
{
	CHECK_STR(document("json"),
		  "{\"top\": {\"rows\": [{\"n\":-1,\"keys\": [\"a\",18446744073709551615]},"
		  "{\"n\":0,\"keys\": [\"a\",18446744073709551615]}]}}\n");
	CHECK_STR(document("xml"),
		  "<top><rows><n>-1</n><keys>a</keys>"
		  "<keys>18446744073709551615</keys></rows><rows><n>0</n>"
		  "<keys>a</keys><keys>18446744073709551615</keys></rows></top>\n");
	CHECK_STR(document("pretty,xml"), "<top>\n"
					  "  <rows>\n"
					  "    <n>-1</n>\n"
					  "    <keys>a</keys>\n"
					  "    <keys>18446744073709551615</keys>\n"
					  "  </rows>\n"
					  "  <rows>\n"
					  "    <n>0</n>\n"
					  "    <keys>a</keys>\n"
					  "    <keys>18446744073709551615</keys>\n"
					  "  </rows>\n"
					  "</top>\n");
	CHECK_STR(
	    document("html"),
	    "<div class=\"line\"><div class=\"line\"><div class=\"data\" data-tag=\"n\">-1</div>"
	    "<div class=\"data\" data-tag=\"keys\">a</div>"
	    "<div class=\"data\" data-tag=\"keys\">18446744073709551615</div></div>"
	    "<div class=\"line\"><div class=\"data\" data-tag=\"n\">0</div>"
	    "<div class=\"data\" data-tag=\"keys\">a</div>"
	    "<div class=\"data\" data-tag=\"keys\">18446744073709551615</div></div></div>\n");
}

/* Returns the text of one value. */
static const char *value(enum doc_style style, const char *s, size_t len)
{
	static char *text;
	struct doc d;
	size_t n;
	FILE *f;

	free(text);
	f = open_memstream(&text, &n);
	doc_begin(&d, f, style, false);
	doc_text(&d, "v", s, len);
	doc_end(&d);
	fclose(f);
	return text;
}

#define TEXT(s) s, sizeof(s) - 1

static void test_text(void)
{
	CHECK_STR(value(DOC_JSON, TEXT("a\"b\\c\n\t\x01\0z")),
		  "{\"v\":\"a\\\"b\\\\c\\n\\t\\u0001\\u0000z\"}\n");
	CHECK_STR(value(DOC_XML, TEXT("<a&b>\"\n\x01")),
		  "<v>&lt;a&amp;b&gt;\"\n\xef\xbf\xbd</v>\n");
	CHECK_STR(value(DOC_JSON, TEXT("gr\xc3\xbc\xc3\x9f \xf0\x9f\x98\x80")),
		  "{\"v\":\"gr\xc3\xbc\xc3\x9f \xf0\x9f\x98\x80\"}\n");
	/* XML lacks these two characters, JSON has them. */
	CHECK_STR(value(DOC_XML, TEXT("\xef\xbf\xbe\xef\xbf\xbf\xef\xbf\xbc")),
		  "<v>\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbc</v>\n");
	CHECK_STR(value(DOC_JSON, TEXT("\xef\xbf\xbe")), "{\"v\":\"\xef\xbf\xbe\"}\n");
	/* A lone continuation, an overlong slash, a surrogate, the start of a cut sequence. */
	CHECK_STR(value(DOC_JSON, TEXT("\x80")), "{\"v\":\"\xef\xbf\xbd\"}\n");
	CHECK_STR(value(DOC_JSON, TEXT("\xc0\xaf")), "{\"v\":\"\xef\xbf\xbd\xef\xbf\xbd\"}\n");
	CHECK_STR(value(DOC_JSON, TEXT("\xed\xa0\x80")),
		  "{\"v\":\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"}\n");
	CHECK_STR(value(DOC_JSON, TEXT("x\xe2\x82")), "{\"v\":\"x\xef\xbf\xbd\xef\xbf\xbd\"}\n");
}

static void test_formats(void)
{
	enum doc_style style;
	bool pretty;

	CHECK(doc_parse("json,pretty", &style, &pretty) && style == DOC_JSON && pretty);
	CHECK(doc_parse("text", &style, &pretty) && style == DOC_TEXT && !pretty);
	CHECK(doc_parse("jsonl", &style, &pretty) && style == DOC_JSONL && !pretty);
	CHECK(!doc_parse("jsonl,pretty", &style, &pretty));
	CHECK(!doc_parse("pretty,jsonl", &style, &pretty));
	CHECK(!doc_parse("yaml", &style, &pretty));
	CHECK(!doc_parse("json,", &style, &pretty));
	CHECK(!doc_parse("", &style, &pretty));
}

int main(void)
{
	test_styles();
	test_text();
	test_formats();
	return TEST_DONE();
}
