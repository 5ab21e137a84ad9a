/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * agg_test.c: aggregation values (buckets, updates, merging, numbers) and everything that their
 * display can contain: sorting, default layout, joined aggregations, formats, histograms, agghist,
 * aggpack.
 */
#include <stdint.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/buf.h"
#include "aggs.h"
#include "print/agg.h"
#include "print/doc.h"
#include "print/fmt.h"
#include "print/hist.h"
#include "print/value.h"
#include "outmem.h"
#include "test.h"

#define HEAD "\n           value  ------------- Distribution ------------- count    \n"

static struct out *o;

static struct agg_desc count, sum, avg, min, max, stddev, quant;

static struct agg_desc lq(int32_t low, int32_t high, uint16_t step)
{
	uint64_t levels = (uint64_t)((int64_t)high - low) / step;

	return aggs_desc("lquantize", (uint64_t)step << 48 | levels << 32 | (uint32_t)low);
}

static struct agg_desc llq(uint16_t factor, uint16_t low, uint16_t high, uint16_t nsteps)
{
	return aggs_desc("llquantize", (uint64_t)factor << 48 | (uint64_t)low << 32 |
					   (uint64_t)high << 16 | nsteps);
}

static unsigned int bucket(const struct agg_desc *d, int64_t value)
{
	return d->ops->hist->bucket(d, value);
}

static void update(const struct agg_desc *d, int64_t *words, int64_t value, int64_t times)
{
	d->ops->update(d, words, value, times);
}

static int compare(const struct agg_desc *d, const int64_t *a, const int64_t *b)
{
	return d->ops->compare(d, a, b);
}

static struct value str(const char *s)
{
	return (struct value){.kind = VALUE_STR, .data = s, .len = (uint32_t)strlen(s) + 1};
}

static struct value i32(const int32_t *n)
{
	return (struct value){.kind = VALUE_INT, .size = 4, .is_signed = true, .data = n, .len = 4};
}

static const char *label(const struct agg_desc *d, unsigned int i)
{
	static char text[64];
	struct buf b = {0};

	hist_label(d, i, 0, &b);
	snprintf(text, sizeof(text), "%s", buf_str(&b));
	buf_free(&b);
	return text;
}

/* Returns the histogram of one keyless record. */
static const char *picture(const struct agg_desc *d, const int64_t *words, int64_t normal)
{
	struct agg_rec r = {.desc = d, .words = words, .normal = normal};

	d->ops->print(o, &r);
	return outmem_text();
}

static void test_quantize_buckets(void)
{
	CHECK_INT(agg_nwords(&quant), 127);
	CHECK_INT(bucket(&quant, 0), 63);
	CHECK_INT(bucket(&quant, 1), 64);
	CHECK_INT(bucket(&quant, 3), 65);
	CHECK_INT(bucket(&quant, 4), 66);
	CHECK_INT(bucket(&quant, INT64_MAX), 126);
	CHECK_INT(bucket(&quant, -1), 62);
	CHECK_INT(bucket(&quant, -2), 61);
	CHECK_INT(bucket(&quant, -3), 61);
	CHECK_INT(bucket(&quant, -4), 60);
	CHECK_INT(bucket(&quant, INT64_MIN + 1), 0);
	CHECK_INT(bucket(&quant, INT64_MIN), 0);
	CHECK_STR(label(&quant, 63), "0");
	CHECK_STR(label(&quant, 0), "-4611686018427387904");
	CHECK_STR(label(&quant, 126), "4611686018427387904");
	for (unsigned int i = 0; i < 127; i++)
		CHECK_INT(bucket(&quant, strtoll(label(&quant, i), NULL, 10)), i);
}

static void test_lquantize_buckets(void)
{
	struct agg_desc d = lq(-10, 25, 10);

	CHECK_INT(agg_nwords(&d), 5);
	CHECK_INT(bucket(&d, -11), 0);
	CHECK_INT(bucket(&d, -10), 1);
	CHECK_INT(bucket(&d, -1), 1);
	CHECK_INT(bucket(&d, 0), 2);
	CHECK_INT(bucket(&d, 19), 3);
	CHECK_INT(bucket(&d, 20), 4);
	CHECK_INT(bucket(&d, INT32_MAX), 4);
	CHECK_INT(bucket(&d, 0x100000005), 4);
	CHECK_INT(bucket(&d, 0xfffffff6), 4);
	CHECK_STR(label(&d, 0), "< -10");
	CHECK_STR(label(&d, 1), "-10");
	CHECK_STR(label(&d, 4), ">= 20");
	d = lq(INT32_MIN, INT32_MIN + 65535, 1);
	CHECK_INT(agg_nwords(&d), 65537);
	CHECK_INT(bucket(&d, INT32_MIN), 1);
	CHECK_INT(bucket(&d, INT32_MAX), 65536);
}

static void test_llquantize_buckets(void)
{
	struct agg_desc d = llq(10, 0, 2, 10);

	CHECK_INT(agg_nwords(&d), 29);
	CHECK_INT(bucket(&d, -5), 0);
	CHECK_INT(bucket(&d, 0), 0);
	CHECK_INT(bucket(&d, 1), 1);
	CHECK_INT(bucket(&d, 9), 9);
	CHECK_INT(bucket(&d, 10), 10);
	CHECK_INT(bucket(&d, 19), 10);
	CHECK_INT(bucket(&d, 20), 11);
	CHECK_INT(bucket(&d, 999), 27);
	CHECK_INT(bucket(&d, 1000), 28);
	CHECK_STR(label(&d, 0), "< 1");
	CHECK_STR(label(&d, 9), "9");
	CHECK_STR(label(&d, 10), "10");
	CHECK_STR(label(&d, 11), "20");
	CHECK_STR(label(&d, 27), "900");
	CHECK_STR(label(&d, 28), ">= 1000");
	d = llq(10, 1, 2, 20);
	CHECK_INT(agg_nwords(&d), 2 + 18 + 18);
	CHECK_STR(label(&d, 2), "15");
	CHECK_INT(bucket(&d, 14), 1);
	d = llq(2, 0, 63, 2);
	CHECK_INT(agg_nwords(&d), 2 + 64);
	CHECK_INT(bucket(&d, INT64_MAX), 63);
	CHECK_STR(label(&d, 65), ">= 18446744073709551616");
	CHECK_STR(label(&d, 64), "9223372036854775808");
	d = llq(2, 0, 2, 4);
	CHECK_INT(agg_nwords(&d), 2 + 1 + 2 + 2);
	for (unsigned int i = 1; i < agg_nwords(&d) - 1; i++)
		CHECK_INT(bucket(&d, strtoll(label(&d, i), NULL, 10)), i);
}

static int64_t scalar_of(const struct agg_desc *d, const int64_t *in, unsigned int n,
			 int64_t normal)
{
	int64_t a[4], b[4];

	agg_init(d, a);
	agg_init(d, b);
	for (unsigned int i = 0; i < n; i++)
		update(d, i % 2 ? b : a, in[i], 1);
	d->ops->merge(d, a, b);
	return d->ops->scalar(a, normal);
}

/* stats(): the average and the sum are divided by normalize(), the count is not. */
static void test_stats(void)
{
	struct agg_desc stats = aggs_desc("stats", 0);
	int64_t a[2], b[2];
	struct agg_rec r = {.desc = &stats, .words = a, .normal = 2};
	struct doc doc;

	agg_init(&stats, a);
	agg_init(&stats, b);
	update(&stats, a, 10, 1);
	update(&stats, b, -30, 1);
	update(&stats, b, -40, 1);
	CHECK_INT(compare(&stats, a, b), 1);
	CHECK_INT(compare(&stats, b, a), -1);
	CHECK_INT(compare(&stats, a, a), 0);
	stats.ops->merge(&stats, a, b);
	CHECK_STR(picture(&stats, a, 2), "                3              -10              -30");
	doc_begin(&doc, outmem.f, DOC_JSON, false);
	stats.ops->document(&doc, &r, a);
	doc_end(&doc);
	CHECK_STR(outmem_text(), "{\"count\":3,\"avg\":-10,\"sum\":-30}\n");
}

static void test_scalars(void)
{
	static const int64_t in[] = {10, -20, 30, 45}, big[] = {INT64_MIN, INT64_MAX};
	int64_t w[4];

	CHECK_INT(scalar_of(&count, in, 4, 1), 4);
	CHECK_INT(scalar_of(&count, in, 4, 2), 2);
	CHECK_INT(scalar_of(&sum, in, 4, 1), 65);
	CHECK_INT(scalar_of(&sum, in, 4, 10), 6);
	CHECK_INT(scalar_of(&sum, in, 4, 0), 65);
	CHECK_INT(scalar_of(&min, in, 4, 1), -20);
	CHECK_INT(scalar_of(&max, in, 4, 1), 45);
	CHECK_INT(scalar_of(&avg, in, 4, 1), 16);
	CHECK_INT(scalar_of(&avg, in, 4, 2), 8);
	/* mean of squares 856, mean 16: root of 600 */
	CHECK_INT(scalar_of(&stddev, in, 4, 1), 24);
	/* squares 3425 / 5 / 5 / 4 = 34, mean 3: root of 25 */
	CHECK_INT(scalar_of(&stddev, in, 4, 5), 5);
	CHECK_INT(scalar_of(&stddev, big, 2, 1), INT64_MAX);
	CHECK_INT(scalar_of(&sum, big, 1, -1), INT64_MIN);
	agg_init(&avg, w);
	CHECK_INT(avg.ops->scalar(w, 1), 0);
	agg_init(&stddev, w);
	CHECK_INT(stddev.ops->scalar(w, 1), 0);
	CHECK_INT(agg_nwords(&count), 1);
	CHECK_INT(agg_nwords(&avg), 2);
	CHECK_INT(agg_nwords(&stddev), 4);
}

static void test_compare(void)
{
	int64_t a[127] = {0}, b[127] = {0};

	update(&quant, a, 4, 3);
	update(&quant, b, 8, 1);
	CHECK(compare(&quant, a, b) > 0);
	update(&quant, b, 4, 1);
	CHECK(compare(&quant, a, b) == 0);
	update(&quant, b, 0, 1);
	CHECK(compare(&quant, a, b) < 0);
	int64_t c = -1, d = 1;
	CHECK(compare(&count, &c, &d) < 0);
	int64_t e[] = {2, 10}, f[] = {10, 20};
	CHECK(compare(&avg, e, f) > 0);
	struct agg_desc d1 = lq(0, 30, 1);
	int64_t last[32] = {0}, two[32] = {0};
	update(&d1, last, 1000, 1);
	update(&d1, two, 15, 1);
	update(&d1, two, 16, 1);
	CHECK(compare(&d1, last, two) == 0);
	int64_t g[] = {2, 10, 100, 0};
	CHECK(compare(&stddev, g, g) == 0);
}

static void test_histograms(void)
{
	int64_t w[127] = {0};

	CHECK_STR(picture(&quant, w, 1),
		  HEAD "              -1 |                                         0        \n"
		       "               0 |                                         0        \n"
		       "               1 |                                         0        \n");
	update(&quant, w, 4, 3);
	update(&quant, w, 9, 10);
	update(&quant, w, 17, 1);
	CHECK_STR(picture(&quant, w, 1),
		  HEAD "               2 |                                         0        \n"
		       "               4 |@@@@@@@@@                                3        \n"
		       "               8 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@            10       \n"
		       "              16 |@@@                                      1        \n"
		       "              32 |                                         0        \n");
	memset(w, 0, sizeof(w));
	update(&quant, w, -1, 4);
	update(&quant, w, 0, 1);
	update(&quant, w, 3, 3);
	CHECK_STR(picture(&quant, w, 1),
		  HEAD "              -2 |                                         0        \n"
		       "              -1 |@@@@@@@@@@@@@@@@@@@@                     4        \n"
		       "               0 |@@@@@                                    1        \n"
		       "               1 |                                         0        \n"
		       "               2 |@@@@@@@@@@@@@@@                          3        \n"
		       "               4 |                                         0        \n");
	memset(w, 0, sizeof(w));
	update(&quant, w, 1, -3);
	update(&quant, w, 2, 5);
	CHECK_STR(picture(&quant, w, 1),
		  HEAD "               0                     |                     0        \n"
		       "               1             @@@@@@@@|                     -3       \n"
		       "               2                     |@@@@@@@@@@@@@        5        \n"
		       "               4                     |                     0        \n");
	memset(w, 0, sizeof(w));
	w[126] = 10;
	CHECK_STR(picture(&quant, w, 5),
		  HEAD "2305843009213693952 |                                         0        \n"
		       "4611686018427387904 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 2        \n");
	memset(w, 0, sizeof(w));
	w[63] = -1;
	w[64] = -3;
	CHECK_STR(picture(&quant, w, 1),
		  HEAD "              -1                                         | 0        \n"
		       "               0                               @@@@@@@@@@| -1       \n"
		       "               1           @@@@@@@@@@@@@@@@@@@@@@@@@@@@@@| -3       \n"
		       "               2                                         | 0        \n");
}

static void test_linear(void)
{
	struct agg_desc d = lq(0, 30, 10);
	int64_t w[32] = {0};

	CHECK_STR(picture(&d, w, 1),
		  HEAD "             < 0 |                                         0        \n"
		       "               0 |                                         0        \n"
		       "              10 |                                         0        \n");
	update(&d, w, -5, 1);
	update(&d, w, 5, 4);
	update(&d, w, 20, 2);
	update(&d, w, 30, 1);
	CHECK_STR(picture(&d, w, 1),
		  HEAD "             < 0 |@@@@@                                    1        \n"
		       "               0 |@@@@@@@@@@@@@@@@@@@@                     4        \n"
		       "              10 |                                         0        \n"
		       "              20 |@@@@@@@@@@                               2        \n"
		       "           >= 30 |@@@@@                                    1        \n");
	d = llq(10, 0, 2, 10);
	memset(w, 0, sizeof(w));
	CHECK_STR(picture(&d, w, 1),
		  HEAD "             < 1 |                                         0        \n"
		       "               1 |                                         0        \n");
	update(&d, w, 950, 1);
	update(&d, w, 5000, 1);
	CHECK_STR(picture(&d, w, 1),
		  HEAD "             800 |                                         0        \n"
		       "             900 |@@@@@@@@@@@@@@@@@@@@                     1        \n"
		       "         >= 1000 |@@@@@@@@@@@@@@@@@@@@                     1        \n");
}

static void test_zoom_and_utf8(void)
{
	int64_t w[127] = {0};

	update(&quant, w, 4, 2);
	update(&quant, w, 8, 1);
	o->opts.aggzoom = true;
	CHECK_STR(picture(&quant, w, 1),
		  HEAD "               2 |                                         0        \n"
		       "               4 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@   2        \n"
		       "               8 |@@@@@@@@@@@@@@@@@@@                      1        \n"
		       "              16 |                                         0        \n");
	o->opts.aggzoom = false;
	w[66] = 127;
	w[67] = 1;
	o->opts.encoding = OUT_ENCODING_UTF8;
	/* 39.6875 and 0.3125 columns: 39 full blocks and 5/8, 2/8 */
	const char *got = picture(&quant, w, 1);
	const char *full = strchr(got, '|');
	CHECK(full != NULL);
	CHECK(strstr(got, "\xe2\x96\x88\xe2\x96\x8b 127      \n") != NULL);
	CHECK(strstr(got, " |\xe2\x96\x8e                                        1        \n") !=
	      NULL);
	w[67] = -1;
	CHECK(strchr(picture(&quant, w, 1), '@') != NULL);
	o->opts.encoding = OUT_ENCODING_UNSET;
}

static const char *printed(const struct agg_rec *recs, unsigned int n)
{
	agg_print(o, recs, n);
	return outmem_text();
}

static void test_layout(void)
{
	static const int64_t three = 3, seventeen = 17, one[] = {2, 7, 0, 0};
	static const uint64_t pcs[] = {0x400111, 0};
	static const int32_t k3 = 3, km = -1;
	struct value cat[] = {str("cat")}, bash[] = {str("bash"), i32(&k3)},
		     mixed[] = {i32(&km), str("x")};
	struct value stack[] = {{.kind = VALUE_USTACK, .data = pcs, .len = 16, .pid = 7}};

	CHECK_STR(printed(&(struct agg_rec){&count, cat, 1, &three, 1}, 1),
		  "  cat                                                               3\n");
	CHECK_STR(
	    printed(&(struct agg_rec){&count, bash, 2, &seventeen, 1}, 1),
	    "  bash                                                      3               17\n");
	CHECK_STR(
	    printed(&(struct agg_rec){&sum, mixed, 2, (int64_t[]){5}, 1}, 1),
	    "       -1  x                                                                 5\n");
	CHECK_STR(printed(&(struct agg_rec){&count, stack, 1, &three, 1}, 1),
		  "\n              cat`main+0x11\n                3\n");
	CHECK_STR(printed(&(struct agg_rec){&avg, NULL, 0, one, 1}, 1), "                3\n");
	CHECK_STR(printed(&(struct agg_rec){&stddev, NULL, 0, one, 1}, 1), "                0\n");
	CHECK_STR(printed(NULL, 0), "");
	int64_t w[127] = {0};
	w[63] = 1;
	CHECK_STR(printed(&(struct agg_rec){&quant, cat, 1, w, 1}, 1),
		  "  cat                                               " HEAD
		  "              -1 |                                         0        \n"
		  "               0 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        \n"
		  "               1 |                                         0        \n\n");
}

static void test_sorting(void)
{
	static const int32_t k[] = {1, -1, 2, 7};
	static const int64_t v[] = {5, 5, 9, 1};
	struct value keys[4][2];
	struct agg_rec recs[4];
	static const char *const names[] = {"b", "a", "c", "a"};
	const char *err;
	struct arena *arena = arena_new();
	struct fmt *f = fmt_parse(arena, "%d%s=%@d ", &err);
	struct agg_set set = {&sum, recs, 4};

	for (unsigned int i = 0; i < 4; i++) {
		keys[i][0] = i32(&k[i]);
		keys[i][1] = str(names[i]);
		recs[i] = (struct agg_rec){&sum, keys[i], 2, &v[i], 1};
	}
	agg_printa(o, f, &set, 1);
	CHECK_STR(outmem_text(), "7a=1 1b=5 -1a=5 2c=9 ");
	o->opts.aggsortkey = true;
	agg_printa(o, f, &set, 1);
	CHECK_STR(outmem_text(), "1b=5 2c=9 7a=1 -1a=5 ");
	o->opts.aggsortkeypos = 1;
	agg_printa(o, f, &set, 1);
	CHECK_STR(outmem_text(), "7a=1 -1a=5 1b=5 2c=9 ");
	o->opts.aggsortrev = true;
	agg_printa(o, f, &set, 1);
	CHECK_STR(outmem_text(), "2c=9 1b=5 -1a=5 7a=1 ");
	o->opts.aggsortkey = false;
	o->opts.aggsortkeypos = 9;
	agg_printa(o, f, &set, 1);
	CHECK_STR(outmem_text(), "2c=9 -1a=5 1b=5 7a=1 ");
	o->opts.aggsortrev = false;
	o->opts.aggsortkeypos = 0;
	CHECK(agg_compare(&o->opts, &recs[3], &recs[0]) < 0);
	arena_free(arena);
}

static void test_joined(void)
{
	static const int64_t v1[] = {5, 9}, v2[] = {4, 8};
	struct value a = str("a"), b = str("b"), c = str("c");
	struct agg_rec counts[] = {{&count, &b, 1, &v1[0], 1}, {&count, &a, 1, &v1[1], 1}};
	struct agg_rec sums[] = {{&sum, &c, 1, &v2[0], 2}, {&sum, &a, 1, &v2[1], 2}};
	struct agg_set sets[] = {{&count, counts, 2}, {&sum, sums, 2}};
	struct arena *arena = arena_new();
	const char *err;

	agg_printa(o, NULL, sets, 2);
	CHECK_STR(outmem_text(),
		  "\n"
		  "  c                                                                 0"
		  "                2\n"
		  "  b                                                                 5"
		  "                0\n"
		  "  a                                                                 9"
		  "                4\n");
	struct fmt *f = fmt_parse(arena, "%-3s %@3u %@3d %@3d|\n", &err);
	agg_printa(o, f, sets, 2);
	CHECK_STR(outmem_text(), "c     0   2   2|\nb     5   0   0|\na     9   4   4|\n");
	o->opts.aggsortpos = 1;
	agg_printa(o, f, sets, 2);
	CHECK_STR(outmem_text(), "b     5   0   0|\nc     0   2   2|\na     9   4   4|\n");
	o->opts.aggsortpos = 2;
	o->opts.aggsortkey = true;
	agg_printa(o, f, sets, 2);
	CHECK_STR(outmem_text(), "a     9   4   4|\nb     5   0   0|\nc     0   2   2|\n");
	o->opts.aggsortkey = false;
	o->opts.aggsortpos = 0;
	int64_t w[127] = {0};
	w[63] = 1;
	struct agg_rec q = {&quant, &a, 1, w, 1};
	struct agg_set hist[] = {{&count, counts, 1}, {&quant, &q, 1}};
	f = fmt_parse(arena, "%s%@d%@d", &err);
	agg_printa(o, f, hist, 2);
	CHECK_STR(outmem_text(),
		  "a0" HEAD "              -1 |                                         0        \n"
		  "               0 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        \n"
		  "               1 |                                         0        \n"
		  "b5" HEAD "              -1 |                                         0        \n"
		  "               0 |                                         0        \n"
		  "               1 |                                         0        \n");
	f = fmt_parse(arena, "%-10s %@5d\n", &err);
	agg_printa(o, f, sets, 1);
	CHECK_STR(outmem_text(), "b              5\na              9\n");
	agg_printa(o, NULL, sets, 1);
	CHECK_STR(outmem_text(),
		  "\n"
		  "  b                                                                 5\n"
		  "  a                                                                 9\n");
	arena_free(arena);
}

static void test_agghist(void)
{
	static const int64_t v[] = {3, 1, -2};
	static const int32_t n = 12;
	struct value a = str("alpha"), b = str("beta"), two[] = {str("x"), i32(&n)};
	struct agg_rec recs[] = {{&count, &a, 1, &v[0], 1}, {&count, &b, 1, &v[1], 1}};

	o->opts.agghist = true;
	CHECK_STR(printed(recs, 2),
		  "\n"
		  "              key  ------------- Distribution ------------- count    \n"
		  "             beta |@@@@@@@@@@                               1        \n"
		  "            alpha |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@           3        \n");
	CHECK_STR(
	    printed(&(struct agg_rec){&sum, two, 2, &v[2], 1}, 1),
	    "\n"
	    "                       key  ------------- Distribution ------------- count    \n"
	    "                x       12 @@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@| -2       \n");
	CHECK_STR(printed(&(struct agg_rec){&count, NULL, 0, &v[0], 1}, 1),
		  HEAD "                 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 3        \n");
	/* zoomed, a full bar is a whole number: 3 / 0.95 */
	o->opts.aggzoom = true;
	CHECK_STR(printed(&(struct agg_rec){&count, NULL, 0, &v[0], 1}, 1),
		  HEAD "                 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 3        \n");
	o->opts.aggzoom = false;
	/* only count and sum, and only keys of one line */
	CHECK_STR(printed(&(struct agg_rec){&max, NULL, 0, &v[0], 1}, 1), "                3\n");
	static const uint64_t pcs[] = {0};
	struct value st = {.kind = VALUE_STACK, .data = pcs, .len = 8};
	CHECK_STR(printed(&(struct agg_rec){&count, &st, 1, &v[0], 1}, 1), "\n                3\n");
	o->opts.agghist = false;
}

static void test_aggpack(void)
{
	struct agg_desc d = lq(0, 30, 10);
	int64_t w[127] = {0}, x[127] = {0};
	struct value a = str("alpha"), b = str("beta");

	w[66] = 1; /* 4 */
	w[67] = 6; /* 8 */
	x[69] = 2; /* 32 */
	struct agg_rec recs[] = {{&quant, &a, 1, w, 1}, {&quant, &b, 1, x, 2}};
	o->opts.aggpack = true;
	o->opts.encoding = OUT_ENCODING_ASCII;
	CHECK_STR(printed(recs, 2), "\n"
				    "              key  min .------. max  | count\n"
				    "            alpha    2 : _X   : 64   | 7\n"
				    "             beta    2 :    X : 64   | 1\n");
	CHECK_STR(printed(&(struct agg_rec){&quant, NULL, 0, w, 1}, 1),
		  "\n"
		  "  min .----. max  | count\n"
		  "    2 : _X : 16   | 7\n");
	o->opts.encoding = OUT_ENCODING_UTF8;
	CHECK_STR(printed(&(struct agg_rec){&quant, NULL, 0, w, 1}, 1),
		  "\n"
		  "  min .----. max  | count\n"
		  "    2 : \xe2\x96\x82\xe2\x96\x87 : 16   | 7\n");
	o->opts.encoding = OUT_ENCODING_UNSET;
	setenv("TERM", "dumb", 1);
	int64_t l[] = {-1, 1, 0, 0, 0};
	CHECK_STR(printed(&(struct agg_rec){&d, NULL, 0, l, 1}, 1),
		  "\n"
		  "     min .-----. max      | count\n"
		  "     < 0 :vx   : >= 30    | 0\n");
	setenv("TERM", "xterm", 1);
	l[0] = 0;
	o->opts.aggzoom = true;
	CHECK_STR(printed(&(struct agg_rec){&d, NULL, 0, l, 1}, 1),
		  "\n"
		  "     min .-----. max      | count\n"
		  "     < 0 : \xe2\x96\x88   : >= 30    | 1\n");
	o->opts.aggzoom = false;
	/* The lowest bucket is the bucket of 0. */
	o->opts.encoding = OUT_ENCODING_ASCII;
	int64_t z[127] = {[63] = 1, [64] = 1};
	CHECK_STR(printed(&(struct agg_rec){&quant, NULL, 0, z, 1}, 1), "\n"
									"  min .---. max  | count\n"
									"    0 :xx : 2    | 2\n");
	o->opts.encoding = OUT_ENCODING_UNSET;
	o->opts.aggpack = false;
}

int main(void)
{
	o = outmem_start();
	o->syms = &outmem_syms;
	count = aggs_desc("count", 0);
	sum = aggs_desc("sum", 0);
	avg = aggs_desc("avg", 0);
	min = aggs_desc("min", 0);
	max = aggs_desc("max", 0);
	stddev = aggs_desc("stddev", 0);
	quant = aggs_desc("quantize", 0);
	test_quantize_buckets();
	test_lquantize_buckets();
	test_llquantize_buckets();
	test_stats();
	test_scalars();
	test_compare();
	test_histograms();
	test_linear();
	test_zoom_and_utf8();
	test_layout();
	test_sorting();
	test_joined();
	test_agghist();
	test_aggpack();
	outmem_end();
	return TEST_DONE();
}
