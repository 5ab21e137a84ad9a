/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * flame_test.c: charts: names, functions; flame graphs: merging, cut frames, comparison, facts;
 * pages.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "chart/chart.h"
#include "chart/flame.h"
#include "chart/page.h"
#include "test.h"

static struct chart *c;
static struct buf picture, note;

/* Adds a row whose frames are words; words in front of a bar are keys. */
static void row(struct chart_agg *a, const char *words, int64_t value)
{
	struct chart_row r = {.ids = arena_new_arr(c->arena, uint32_t, 2048), .value = value};
	enum chart_kind kind = strchr(words, '|') ? CHART_KEY : CHART_USER;

	while (*words) {
		size_t n = strcspn(words, " ");

		if (n == 1 && *words == '|') {
			r.nkeys = r.n;
			kind = CHART_USER;
		} else {
			r.ids[r.n++] = chart_frame(c, words, n, kind);
		}
		words += n + (words[n] == ' ');
	}
	a->has_stacks = true;
	vec_push(&a->rows, r);
}

static struct chart_agg *start(unsigned int nruns)
{
	chart_free(c);
	c = chart_new();
	c->nruns = nruns;
	c->runs[0].name = "first";
	c->runs[1].name = "second";
	return chart_agg_new(c, "x", "count", nruns - 1);
}

static const char *draw(const struct chart_agg *a, const struct chart_agg *before)
{
	buf_reset(&picture);
	buf_reset(&note);
	chart_rank(c);
	return flame_draw(&picture, c, a, before, false, &note) ? picture.s : "";
}

static unsigned int count(const char *text, const char *what)
{
	unsigned int n = 0;

	for (; (text = strstr(text, what)) != NULL; text++)
		n++;
	return n;
}

static const char *name(const char *s, size_t n)
{
	uint32_t id = chart_frame(c, s, n, CHART_USER);

	return c->frames.a[id].name;
}

static void test_names(void)
{
	start(1);
	CHECK_STR(name("plain", 5), "plain");
	CHECK_STR(name("a\033b\n", 4), "a\\033b\\n");
	CHECK_STR(name("\xff|\xc2\x85|\xef\xbf\xbe|\xc3\xa4", 11),
		  "\xef\xbf\xbd|\xef\xbf\xbd|\xef\xbf\xbd|\xc3\xa4");
	CHECK(chart_frame(c, "f", 1, CHART_USER) == chart_frame(c, "f", 1, CHART_USER));
	CHECK(chart_frame(c, "f", 1, CHART_USER) != chart_frame(c, "f", 1, CHART_KERNEL));
}

static const char *function(const char *s)
{
	uint32_t id = chart_function(c, s, strlen(s), CHART_USER);

	return c->frames.a[id].name;
}

static void test_functions(void)
{
	start(1);
	CHECK_STR(function("a`b+0x1f"), "a`b");
	CHECK_STR(function("a`b"), "a`b");
	CHECK_STR(function("a`operator+0x"), "a`operator+0x");
	CHECK_STR(function("a`0x7f00"), "a`[unknown]");
	CHECK_STR(function("0x7f00"), "[unknown]");
	CHECK_STR(function("+0x1"), "+0x1");
	CHECK_STR(function(""), "");
}

static void test_merging(void)
{
	struct chart_agg *a = start(1);
	const char *s;

	row(a, "main b", 1);
	row(a, "main a leaf", 2);
	row(a, "main", 4);
	row(a, "main a", 1);
	row(a, "other", -3);
	s = draw(a, NULL);
	/* All, main, a, leaf, b: rows that end in a frame are at its left, then names in order. */
	CHECK(count(s, "<g class=\"frame") == 5);
	CHECK(strstr(s, "<title>main\ncount 8, 100.00 %</title><rect x=\"0%\" y=\"34\" "
			"width=\"100%\" height=\"16\"/>"));
	CHECK(strstr(s, "<title>a\ncount 3, 37.50 %</title><rect x=\"50%\" y=\"17\" "
			"width=\"37.5%\" height=\"16\"/>"));
	CHECK(strstr(s, "<title>leaf\ncount 2, 25.00 %</title><rect x=\"62.5%\" y=\"0\" "
			"width=\"25%\" height=\"16\"/>"));
	CHECK(strstr(s, "<title>b\ncount 1, 12.50 %</title><rect x=\"87.5%\" y=\"17\" "
			"width=\"12.5%\" height=\"16\"/>"));
	CHECK(strstr(note.s, "1 rows without a positive value"));
	/* The text for the script: names in order; each stack once, after the stack that it
	 * continues. */
	CHECK(strstr(s, "<metadata class=\"stacks\">count\n\nua\nub\nuleaf\numain\no(other)\n\n"
			"0 3,4\n1 0,1\n2 2,2\n1 1,1\n</metadata>"));
}

static void test_labels(void)
{
	struct chart_agg *a = start(1);
	const char *s;

	row(a, "lib`main gz`[unknown]", 1);
	s = draw(a, NULL);
	CHECK(strstr(s, "<title>lib`main\n"));
	CHECK(strstr(s, ">main</text>"));
	CHECK(strstr(s, ">gz`[unknown]</text>"));
}

/* A label is cut where its frame ends. */
static void test_cut_labels(void)
{
	struct chart_agg *a = start(1);
	const char *s;

	row(a, "a_long_name_of_a_function", 100);
	row(a, "main", 900);
	s = draw(a, NULL);
	CHECK(strstr(s, ">a_long_name_of_\xe2\x80\xa6</text>"));
	CHECK(strstr(s, ">main</text>"));
}

/* Sums are exact beyond the digits of a double. */
static void test_large(void)
{
	struct chart_agg *a = start(1);

	row(a, "f", 9007199254740993);
	row(a, "g", 9007199254740992);
	CHECK(strstr(draw(a, NULL), "aria-label=\"@x = count(), 18014398509481985 in all\""));
	CHECK(strstr(picture.s, "<title>f\ncount 9007199254740993, 50.00 %"));
}

/* Keys that are numbers are in the order of numbers, before others. */
static void test_numbers(void)
{
	struct chart_agg *a = start(1);

	row(a, "10 | f", 1);
	row(a, "9 | f", 1);
	row(a, "-3 | f", 1);
	row(a, "2x | f", 1);
	CHECK(strstr(draw(a, NULL), "\nx-3\nx9\nx10\nx2x\nuf\no(other)\n"));
}

static void test_nothing(void)
{
	struct chart_agg *a = start(1);

	CHECK_STR(draw(a, NULL), "");
	row(a, "f", 0);
	CHECK_STR(draw(a, NULL), "");
	CHECK(picture.n == 0);
}

static void test_recursion(void)
{
	struct chart_agg *a = start(1);
	struct buf words = {0};

	for (unsigned int i = 0; i < 1000; i++)
		buf_puts(&words, "f ");
	row(a, words.s, 1);
	CHECK(count(draw(a, NULL), "<g class=\"frame") == 1 + FLAME_DEPTH);
	CHECK(strstr(note.s, "1 frames narrower than 0.083 %, or above 512 others"));
	/* The text has the frames above, under another name. */
	CHECK(strstr(picture.s, " 0 1,1\n</metadata>"));
	buf_free(&words);
}

static void test_many(void)
{
	struct chart_agg *a = start(1);

	for (unsigned int i = 0; i < 100000; i++) {
		char words[64];

		snprintf(words, sizeof(words), "main f%u g", i);
		row(a, words, 1 + 99 * (i < 100));
	}
	CHECK(count(draw(a, NULL), "<g class=\"frame") == 2 + 200);
	CHECK(strstr(note.s, "Drawn together: 99900 frames"));
	CHECK(count(picture.s, "<g class=\"thin\"><title>narrow frames: ") > 0);
	CHECK(strstr(picture.s, "\numain\no(other)\n"));
}

static void test_compared(void)
{
	struct chart_agg *a = start(2), *before = chart_agg_new(c, "x", "count", 0);
	const char *s;

	row(before, "a", 30);
	row(before, "b", 10);
	row(a, "a", 100);
	row(a, "c", 100);
	s = draw(a, before);
	CHECK(strstr(s, "class=\"frame less4\"><title>a\nbefore 75.00 %, after 50.00 %: "
			"-25.00 points</title><rect x=\"0%\" y=\"0\" width=\"62.5%\""));
	CHECK(strstr(s, "class=\"frame less4\"><title>b\nbefore 25.00 %, after 0.00 %: "
			"-25.00 points</title><rect x=\"62.5%\" y=\"0\" width=\"12.5%\""));
	CHECK(strstr(s, "class=\"frame more4\"><title>c\nbefore 0.00 %, after 50.00 %: "
			"+50.00 points</title><rect x=\"75%\" y=\"0\" width=\"25%\""));
	CHECK(strstr(s, "\n0 0,30,100\n0 1,10,0\n0 2,0,100\n</metadata>"));
	/* A side can be empty. */
	s = draw(a, NULL);
	CHECK(strstr(s, "<title>a\nbefore 0.00 %, after 50.00 %: +50.00 points</title><rect "
			"x=\"0%\" y=\"0\" width=\"50%\""));
}

/* A frame that only the earlier run has is 0 in the later one. */
static void test_gone(void)
{
	struct chart_agg *a = start(2), *gone = chart_agg_new(c, "gone", "sum", 0), *paired;

	row(a, "a", 1);
	row(gone, "f", 7);
	row(gone, "k", 3);
	gone->rows.a[1].nkeys = 1;
	chart_pair(c);
	CHECK(c->aggs.n == 3);
	paired = chart_agg_named(c, "gone", 1);
	CHECK(paired && chart_flame(c, "gone") == paired && chart_flame(c, NULL) == a);
	CHECK(strstr(draw(paired, gone), "<title>f\nbefore 70.00 %, after 0.00 %: -70.00 points"));
	buf_reset(&picture);
	CHECK(page_draw(&picture, c, "now"));
	CHECK(strstr(picture.s, "@gone = sum()</h2>"));
	CHECK(strstr(picture.s, "<th scope=\"row\">f</th><td class=\"number\">7</td>"
				"<td class=\"number\">0</td><td class=\"number\">-7</td>"));
}

/* Facts stand above a picture, and are text. */
static void test_about(void)
{
	struct chart_agg *a = start(1);

	row(a, "main", 1);
	CHECK(!strstr(draw(a, NULL), "class=\"about\""));
	c->runs[0] = (struct chart_run){.name = "n",
					.program = "BEGIN { @[\"<\"] = count(); }",
					.command = "ls -l",
					.host = "web1",
					.kernel = "6.12.48",
					.start = 86400000000000,
					.duration = 1234567890,
					.drops = 7};
	setenv("TZ", "UTC", 1);
	buf_reset(&picture);
	CHECK(flame_draw(&picture, c, a, NULL, true, &note));
	CHECK(strstr(picture.s,
		     ">Program: BEGIN { @[&quot;&lt;&quot;] = count(); }. Command: ls -l. "
		     "Host: web1. Kernel: 6.12.48. Start: 1970-01-02 00:00:00 +0000. "
		     "Duration: 1.23 s. Drops: 7. </text>"));
	a = start(2);
	row(a, "main", 1);
	c->runs[1].host = "web2";
	c->runs[1].drops = 0;
	buf_reset(&picture);
	CHECK(flame_draw(&picture, c, a, NULL, true, &note));
	CHECK(strstr(picture.s,
		     "class=\"about\" x=\"8\" y=\"38\">second: Host: web2. Drops: 0. </text>"));
}

static void test_page(void)
{
	struct chart_agg *a = start(1);

	buf_reset(&picture);
	CHECK(!page_draw(&picture, c, "now"));
	CHECK(picture.n == 0);
	row(a, "<i>&\"", 1);
	a->has_stacks = false;
	a->rows.a[0].nkeys = 1;
	chart_rank(c);
	CHECK(page_draw(&picture, c, "now"));
	CHECK(strstr(picture.s, "<th scope=\"row\">&lt;i&gt;&amp;&quot;</th>"));
}

int main(void)
{
	test_names();
	test_functions();
	test_merging();
	test_labels();
	test_cut_labels();
	test_large();
	test_numbers();
	test_nothing();
	test_recursion();
	test_many();
	test_compared();
	test_gone();
	test_about();
	test_page();
	chart_free(c);
	buf_free(&picture);
	buf_free(&note);
	return TEST_DONE();
}
