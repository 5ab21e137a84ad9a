/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * top.c: a sink that shows aggregations on a terminal (option top), as tables and bars that change
 * during tracing.
 *
 * ncurses draws the screen.  It is loaded on demand.  The screen takes keys while the consumer
 * runs, and is closed at the end, at any signal, and in exit().  Standard error would disturb the
 * screen, so it goes to memory meanwhile.  The screen shows the last line at the bottom, and all
 * messages are written when the screen is closed.
 */
#include <inttypes.h>
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define NCURSES_NOMACROS
#include <curses.h>

#include "base/buf.h"
#include "base/clocks.h"
#include "base/map.h"
#include "base/library.h"
#include "base/mem.h"
#include "chart/chart.h"
#include "metrics/metrics.h"
#include "consume/consume.h"
#include "load/load.h"
#include "config/opts.h"
#include "config/report.h"
#include "sink/sinks.h"

#define LIBRARY	 "libncursesw.so.6"
#define BAR	 20
#define HEAD	 2 /* lines above the rows */
#define FILTER	 64
#define MESSAGES 65536 /* maximum size of messages that are written at the end */

#define FUNCTIONS(X)    \
	X(newterm)      \
	X(delscreen)    \
	X(endwin)       \
	X(newwin)       \
	X(delwin)       \
	X(cbreak)       \
	X(noecho)       \
	X(nodelay)      \
	X(keypad)       \
	X(curs_set)     \
	X(set_escdelay) \
	X(getmaxx)      \
	X(getmaxy)      \
	X(wmove)        \
	X(werase)       \
	X(wclrtoeol)    \
	X(waddstr)      \
	X(wattr_on)     \
	X(wattr_off)    \
	X(wgetch)       \
	X(wrefresh)

enum order { BY_VALUE, BY_RATE, BY_KEY, ORDERS };

/* A row on the screen. */
struct shown {
	const struct chart_row *row;
	char *key;
	double rate; /* per second */
};

struct top {
	struct sink k;
	void *lib;
	SCREEN *screen; /* NULL: not open */
	WINDOW *w;
	int messages, err; /* memory for messages; the original standard error */
	bool is_utf8;

	struct chart *chart;
	struct map *before;	/* values of the previous reading, by aggregation and key */
	uint64_t read, earlier; /* times of the last two readings: CLOCK_MONOTONIC, ns */
	VEC(struct shown)
	rows; /* rows of the shown aggregation that match the filter */
	unsigned int agg;
	unsigned int from; /* the first row on the screen */
	enum order order;
	bool is_reversed, is_paused, is_typing;
	char filter[FILTER];
	LIBRARY_MEMBERS(FUNCTIONS)
};

static struct top *open_top; /* for exit() */

/* ---- rows ---- */

/*
 * Returns the keys as text, with the innermost frame of stacks first.  Frames after 4096 bytes are
 * omitted.
 */
static char *key_of(const struct chart *c, const struct chart_row *r)
{
	struct buf b = {0};

	for (unsigned int i = 0; i < r->nkeys; i++)
		buf_printf(&b, "%s%s", i ? "  " : "", c->frames.a[r->ids[i]].name);
	for (unsigned int i = r->n; i > r->nkeys && b.n < 4096; i--)
		buf_printf(&b, "%s%s",
			   i < r->n ? " < "
			   : b.n    ? "  "
				    : "",
			   c->frames.a[r->ids[i - 1]].name);
	return b.s ? b.s : mem_strdup("");
}

static struct chart_agg *agg_shown(const struct top *t)
{
	return t->chart && t->agg < t->chart->aggs.n ? t->chart->aggs.a[t->agg] : NULL;
}

static void free_rows(struct top *t)
{
	for (unsigned int i = 0; i < t->rows.n; i++)
		mem_free(t->rows.a[i].key);
	t->rows.n = 0;
}

static int by_order(const void *x, const void *y, void *arg)
{
	const struct shown *a = x, *b = y;
	const struct top *t = arg;
	int d = 0, by_key = strcmp(a->key, b->key);

	if (t->order == BY_VALUE)
		d = a->row->value > b->row->value ? -1 : a->row->value < b->row->value;
	else if (t->order == BY_RATE)
		d = a->rate > b->rate ? -1 : a->rate < b->rate;
	d = d ? d : by_key;
	return t->is_reversed ? -d : d;
}

static double rate_of(const struct top *t, const struct chart_agg *a, const struct shown *s)
{
	double seconds = (double)(t->read - t->earlier) / 1e9;
	struct buf b = {0};
	const int64_t *before;
	double rate;

	buf_printf(&b, "%s/%s", a->name, s->key);
	before = t->before ? map_get(t->before, b.s, b.n) : NULL;
	rate = seconds > 0 ? (double)(s->row->value - (before ? *before : 0)) / seconds : 0;
	buf_free(&b);
	return t->earlier ? rate : 0;
}

/* Chooses the rows to show, in order. */
static void choose_rows(struct top *t)
{
	const struct chart_agg *a = agg_shown(t);

	free_rows(t);
	for (unsigned int i = 0; a && i < a->rows.n; i++) {
		struct shown s = {.row = &a->rows.a[i], .key = key_of(t->chart, &a->rows.a[i])};

		if (*t->filter && !strcasestr(s.key, t->filter)) {
			mem_free(s.key);
			continue;
		}
		s.rate = rate_of(t, a, &s);
		vec_push(&t->rows, s);
	}
	qsort_r(t->rows.a, t->rows.n, sizeof(*t->rows.a), by_order, t);
}

/* ---- reading ---- */

static void free_before(struct top *t)
{
	size_t pos = 0;
	void *v;

	while (t->before && (v = map_next(t->before, &pos, NULL, NULL)) != NULL)
		mem_free(v);
	map_free(t->before);
	t->before = NULL;
}

static void remember(struct top *t)
{
	free_before(t);
	t->before = map_new();
	for (unsigned int i = 0; i < t->chart->aggs.n; i++) {
		const struct chart_agg *a = t->chart->aggs.a[i];

		for (unsigned int k = 0; k < a->rows.n; k++) {
			char *key = key_of(t->chart, &a->rows.a[k]);
			int64_t *value = mem_alloc(sizeof(*value));
			struct buf b = {0};

			*value = a->rows.a[k].value;
			buf_printf(&b, "%s/%s", a->name, key);
			mem_free(map_get(t->before, b.s, b.n));
			map_set(t->before, b.s, b.n, value);
			buf_free(&b);
			mem_free(key);
		}
	}
}

static void add_agg(void *ctx, const struct metrics_agg *a)
{
	struct top *t = ctx;

	chart_add_set(t->chart, t->k.env->consume->out, &a->set, a->labels, a->nlabels);
}

static void read_all(struct top *t)
{
	struct out *out = t->k.env->consume->out;
	void *symctx = out->symctx;

	if (t->chart)
		remember(t);
	chart_free(t->chart);
	t->chart = chart_new();
	t->chart->nruns = 1;
	out->symctx = t->k.env->consume;
	aggs_each(t->k.env->consume, false, add_agg, t);
	out->symctx = symctx;
	t->earlier = t->read;
	t->read = clock_ns();
}

/* ---- the screen ---- */

/* Writes n characters at most.  Characters that the terminal lacks become "?". */
static void put_text(struct top *t, const char *s, int n)
{
	struct buf b = {0};

	for (; *s && n > 0; n--) {
		size_t len = out_utf8_len(s, strlen(s));

		len = len ? len : 1;
		if (len > 1 && !t->is_utf8)
			buf_putc(&b, '?');
		else
			buf_add(&b, s, len);
		s += len;
	}
	t->waddstr(t->w, buf_str(&b));
	buf_free(&b);
}

static void put_line(struct top *t, int y, const char *text, bool is_reverse)
{
	struct buf b = {0};
	int width = t->getmaxx(t->w);

	buf_puts(&b, text);
	if (is_reverse && b.n < (size_t)width)
		buf_pad(&b, ' ', (size_t)width - b.n);
	if (is_reverse)
		t->wattr_on(t->w, WA_REVERSE, NULL);
	t->wmove(t->w, y, 0);
	put_text(t, buf_str(&b), width);
	if (is_reverse)
		t->wattr_off(t->w, WA_REVERSE, NULL);
	buf_free(&b);
}

/* Writes a bar for a share of the largest value, of BAR characters. */
static void put_bar(struct buf *b, double share)
{
	int n = share > 0 ? (int)(share * BAR + 0.5) : 0;

	buf_putc(b, '|');
	buf_pad(b, '@', (size_t)n);
	buf_pad(b, ' ', (size_t)(BAR - n));
	buf_putc(b, '|');
}

/*
 * Writes a histogram in BAR characters, one for each bucket from the lowest used one on.  The last
 * character includes all higher buckets.
 */
static void put_hist(const struct top *t, struct buf *b, const struct chart_row *r,
		     const uint32_t *place)
{
	static const char *const ascii[] = {" ", ".", ":", "-", "=", "+", "*", "#", "@"};
	static const char *const blocks[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	int64_t n[BAR] = {0}, most = 0;
	uint32_t first = UINT32_MAX;

	for (unsigned int i = 0; i < r->counts.n; i++)
		if (place[r->counts.a[i].bucket] < first)
			first = place[r->counts.a[i].bucket];
	for (unsigned int i = 0; i < r->counts.n; i++) {
		uint32_t at = place[r->counts.a[i].bucket] - first;

		at = at < BAR ? at : BAR - 1;
		n[at] += r->counts.a[i].n;
		most = n[at] > most ? n[at] : most;
	}
	buf_putc(b, '|');
	for (unsigned int i = 0; i < BAR; i++) {
		double share = most > 0 && n[i] > 0 ? (double)n[i] / (double)most : 0;
		int level = share > 0 ? 1 + (int)(share * 7) : 0;

		buf_puts(b, (t->is_utf8 ? blocks : ascii)[level]);
	}
	buf_putc(b, '|');
}

static void put_row(struct top *t, int y, const struct shown *s, int64_t most,
		    const uint32_t *place)
{
	struct buf b = {0};

	buf_printf(&b, "%14" PRId64 " %12.1f ", s->row->value, s->rate);
	if (place)
		put_hist(t, &b, s->row, place);
	else
		put_bar(&b, most > 0 ? (double)s->row->value / (double)most : 0);
	buf_printf(&b, " %s", s->key);
	put_line(t, y, b.s, false);
	buf_free(&b);
}

static void put_rows(struct top *t, int lines)
{
	struct chart_agg *a = agg_shown(t);
	uint32_t *place = NULL;
	int64_t most = 0;

	if (a && a->is_hist) {
		uint32_t *order = chart_order(t->chart, a);

		place = mem_alloc((a->buckets.n + 1) * sizeof(*place));
		for (unsigned int i = 0; i < a->buckets.n; i++)
			place[order[i]] = i;
	}
	for (unsigned int i = 0; i < t->rows.n; i++)
		most = t->rows.a[i].row->value > most ? t->rows.a[i].row->value : most;
	for (int i = 0; i < lines && t->from + (unsigned int)i < t->rows.n; i++)
		put_row(t, HEAD + i, &t->rows.a[t->from + (unsigned int)i], most, place);
	mem_free(place);
}

static void put_head(struct top *t)
{
	static const char *const orders[] = {"value", "rate", "key"};
	const struct chart_agg *a = agg_shown(t);
	struct buf b = {0};
	time_t now = time(NULL);
	char clock[16];
	struct tm tm;

	strftime(clock, sizeof(clock), "%H:%M:%S", localtime_r(&now, &tm));
	if (a)
		buf_printf(&b, "dtrace %s  @%s = %s()  %u of %u  %u rows  by %s%s%s%s%s", clock,
			   strcmp(a->name, "_") == 0 ? "" : a->name, a->function, t->agg + 1,
			   t->chart->aggs.n, t->rows.n, orders[t->order],
			   t->is_reversed ? " reversed" : "", t->is_paused ? "  PAUSED" : "",
			   *t->filter ? "  filter " : "", t->filter);
	else
		buf_printf(&b, "dtrace %s  no aggregation yet%s", clock,
			   t->is_paused ? "  PAUSED" : "");
	put_line(t, 0, b.s, true);
	buf_reset(&b);
	buf_printf(&b, "%14s %12s %-*s %s", "value", "per second", BAR + 2,
		   a && a->is_hist ? "from the least" : "", "key");
	put_line(t, 1, b.s, false);
	buf_free(&b);
}

/* Copies the last message, which may be incomplete. */
static void last_message(const struct top *t, struct buf *b)
{
	char tail[256];
	off_t end = lseek(t->messages, 0, SEEK_END);
	off_t at = end > (off_t)sizeof(tail) ? end - (off_t)sizeof(tail) : 0;
	ssize_t n = pread(t->messages, tail, sizeof(tail), at), from;

	while (n > 0 && tail[n - 1] == '\n')
		n--;
	for (from = n; from > 0 && tail[from - 1] != '\n'; from--)
		;
	for (; from < n; from++)
		buf_putc(b, tail[from] >= ' ' && tail[from] < 0x7f ? tail[from] : '?');
}

static void put_foot(struct top *t, int y)
{
	struct buf b = {0};

	if (t->is_typing)
		buf_printf(&b, "filter: %s_", t->filter);
	else
		last_message(t, &b);
	if (!b.n)
		buf_puts(&b, "q quit  p pause  s sort  r reverse  / filter  arrows, PgUp, PgDn  "
			     "Tab next aggregation");
	put_line(t, y, b.s, true);
	buf_free(&b);
}

static void draw(struct top *t)
{
	int height = t->getmaxy(t->w), lines = height - HEAD - 1;

	if (t->from >= t->rows.n)
		t->from = t->rows.n ? t->rows.n - 1 : 0;
	t->werase(t->w);
	put_head(t);
	put_rows(t, lines);
	if (lines >= 0)
		put_foot(t, height - 1);
	t->wrefresh(t->w);
}

/* ---- keys ---- */

static void scroll_by(struct top *t, int n)
{
	if (n < 0 && t->from < (unsigned int)-n)
		t->from = 0;
	else
		t->from += (unsigned int)n;
}

static void type_filter(struct top *t, int key)
{
	size_t n = strlen(t->filter);

	if (key == '\n' || key == KEY_ENTER || key == 27)
		t->is_typing = false;
	if (key == 27)
		t->filter[0] = '\0';
	else if ((key == KEY_BACKSPACE || key == 127 || key == '\b') && n)
		t->filter[n - 1] = '\0';
	else if (key >= ' ' && key < 0x100 && key != 127 && n + 1 < FILTER)
		memcpy(t->filter + n, (char[]){(char)key, '\0'}, 2);
}

static void switch_agg(struct top *t, unsigned int by)
{
	unsigned int n = t->chart ? t->chart->aggs.n : 0;

	t->agg = n ? (t->agg + by + n) % n : 0;
	t->from = 0;
}

static void take_key(struct top *t, int key)
{
	int page = t->getmaxy(t->w) - HEAD - 1;

	switch (key) {
	case 'q':
		t->k.env->consume->wants_exit = true;
		break;
	case 'p':
		t->is_paused = !t->is_paused;
		break;
	case 's':
		t->order = (t->order + 1) % ORDERS;
		break;
	case 'r':
		t->is_reversed = !t->is_reversed;
		break;
	case '/':
		t->is_typing = true;
		break;
	case 27:
		t->filter[0] = '\0';
		break;
	case '\t':
	case KEY_RIGHT:
		switch_agg(t, 1);
		break;
	case KEY_BTAB:
	case KEY_LEFT:
		switch_agg(t, (unsigned int)-1);
		break;
	case KEY_DOWN:
		scroll_by(t, 1);
		break;
	case KEY_UP:
		scroll_by(t, -1);
		break;
	case KEY_NPAGE:
		scroll_by(t, page);
		break;
	case KEY_PPAGE:
		scroll_by(t, -page);
		break;
	case KEY_HOME:
		t->from = 0;
		break;
	default:
		break;
	}
}

/* ---- start and stop ---- */

/* Shows the messages that were written to standard error. */
static void show_messages(struct top *t)
{
	char piece[4096];
	ssize_t n;
	off_t end;

	fflush(stderr);
	dup2(t->err, STDERR_FILENO);
	close(t->err);
	t->err = -1;
	end = lseek(t->messages, 0, SEEK_END);
	lseek(t->messages, end > MESSAGES ? end - MESSAGES : 0, SEEK_SET);
	while ((n = read(t->messages, piece, sizeof(piece))) > 0)
		if (write(STDERR_FILENO, piece, (size_t)n) != n)
			break;
}

static void close_screen(struct sink *k)
{
	struct top *t = (struct top *)k;

	if (!t->screen)
		return;
	open_top = NULL;
	if (t->w)
		t->delwin(t->w);
	t->endwin();
	t->delscreen(t->screen);
	t->screen = NULL;
	t->w = NULL;
	if (t->err >= 0)
		show_messages(t);
}

static void at_exit(void)
{
	if (open_top)
		close_screen(&open_top->k);
}

static void open_screen(struct top *t)
{
	fflush(stderr);
	t->messages = memfd_create("messages", MFD_CLOEXEC);
	t->screen = t->newterm(NULL, stdout, stdin);
	t->w = t->screen ? t->newwin(0, 0, 0, 0) : NULL;
	if (!t->w)
		return;
	t->err = dup(STDERR_FILENO);
	dup2(t->messages, STDERR_FILENO);
	t->k.env->report->is_shown = isatty(t->err);
	open_top = t;
	atexit(at_exit);
	t->cbreak();
	t->noecho();
	t->curs_set(0);
	t->set_escdelay(25);
	t->nodelay(t->w, true);
	t->keypad(t->w, true);
}

static void run(struct sink *k)
{
	struct top *t = (struct top *)k;
	bool has_changed = false;
	int key;

	if (!t->screen)
		open_screen(t);
	if (!t->w) {
		t->k.env->consume->wants_exit = true;
		t->k.env->consume->exit_status = 2;
		report_error(t->k.env->report, "--top: the type of this terminal is unknown");
		return;
	}
	if (!t->is_paused &&
	    (!t->read || clock_ns() - t->read >= t->k.env->opts->num[OPT_aggrate])) {
		read_all(t);
		has_changed = true;
	}
	while ((key = t->wgetch(t->w)) != ERR) {
		has_changed = true;
		if (t->is_typing)
			type_filter(t, key);
		else
			take_key(t, key);
	}
	if (has_changed) {
		choose_rows(t);
		draw(t);
	}
}

static void free_top(struct sink *k)
{
	struct top *t = (struct top *)k;

	close_screen(k);
	free_rows(t);
	vec_free(&t->rows);
	free_before(t);
	chart_free(t->chart);
	if (t->messages >= 0)
		close(t->messages);
	mem_free(t);
}

static struct sink *open_top_sink(const struct sink_env *env, bool *failed)
{
	const char *why = NULL, *term = getenv("TERM");
	struct top *t;

	if (!env->opts->is_set[OPT_top])
		return NULL;
	t = mem_alloc(sizeof(*t));
	t->k.env = env;
	t->messages = t->err = -1;
	if (!isatty(STDOUT_FILENO) || !isatty(STDIN_FILENO) || !term || !*term)
		why = "standard input and output are not a terminal";
	else if (!library_open(t, LIBRARY, FUNCTIONS))
		why = LIBRARY " is not installed";
	if (why) {
		report_error(env->report, "--top: %s", why);
		free_top(&t->k);
		*failed = true;
		return NULL;
	}
	setlocale(LC_CTYPE, "");
	t->is_utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	return &t->k;
}

const struct sink_type sink_top = {
    .start = open_top_sink,
    .round = run,
    .stop = close_screen,
    .free = free_top,
};
