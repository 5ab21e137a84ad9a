/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * top.c: a sink that shows aggregations on a terminal (option top), as tables and bars that change
 * during tracing.
 *
 * ncurses draws the screen.  It is loaded on demand.  The screen takes keys while the consumer
 * runs, and is closed at the end, at any signal, and in exit().  Standard error would disturb the
 * screen, so it goes to memory meanwhile.  The screen shows the last line at the bottom.  When it
 * is closed, the last table and all messages are written to the terminal.
 */
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define NCURSES_NOMACROS
#include <curses.h>

#include "base/buf.h"
#include "base/clocks.h"
#include "base/library.h"
#include "base/mem.h"
#include "chart/chart.h"
#include "consume/consume.h"
#include "load/load.h"
#include "config/opts.h"
#include "config/report.h"
#include "sink/view.h"
#include "sink/sinks.h"

#define LIBRARY	 "libncursesw.so.6"
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

struct top {
	struct sink k;
	void *lib;
	SCREEN *screen; /* NULL: not open */
	WINDOW *w;
	int messages, err; /* memory for messages; the original standard error */
	bool is_typing;
	struct view view;
	LIBRARY_MEMBERS(FUNCTIONS)
};

static struct top *open_top; /* for exit() */

/* ---- the screen ---- */

static void put_line(struct top *t, int y, const char *text)
{
	struct buf b = {0};

	view_text(&t->view, &b, text, t->view.width);
	t->wmove(t->w, y, 0);
	t->waddstr(t->w, buf_str(&b));
	buf_free(&b);
}

static void put_reverse(struct top *t, int y, const char *text)
{
	struct buf b = {0};

	buf_puts(&b, text);
	if (b.n < (size_t)t->view.width)
		buf_pad(&b, ' ', (size_t)t->view.width - b.n);
	t->wattr_on(t->w, WA_REVERSE, NULL);
	put_line(t, y, b.s);
	t->wattr_off(t->w, WA_REVERSE, NULL);
	buf_free(&b);
}

/* The heading is in reverse. */
static void put_on_screen(void *ctx, int y, const char *text)
{
	struct top *t = ctx;

	if (y)
		put_line(t, y, text);
	else
		put_reverse(t, y, text);
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
		buf_printf(&b, "filter: %s_", t->view.filter);
	else
		last_message(t, &b);
	if (!b.n)
		buf_puts(&b, "q quit  p pause  s sort  r reverse  / filter  arrows, PgUp, PgDn  "
			     "Tab next aggregation");
	put_reverse(t, y, b.s);
	buf_free(&b);
}

static void draw(struct top *t)
{
	int height = t->getmaxy(t->w);

	t->view.width = t->getmaxx(t->w);
	t->view.lines = height - VIEW_HEAD - 1;
	if (t->view.from >= t->view.rows.n)
		t->view.from = t->view.rows.n ? t->view.rows.n - 1 : 0;
	t->werase(t->w);
	view_each_line(&t->view, put_on_screen, t);
	if (t->view.lines >= 0)
		put_foot(t, height - 1);
	t->wrefresh(t->w);
}

/* ---- keys ---- */

static void scroll_by(struct top *t, int n)
{
	if (n < 0 && t->view.from < (unsigned int)-n)
		t->view.from = 0;
	else
		t->view.from += (unsigned int)n;
}

static void type_filter(struct top *t, int key)
{
	size_t n = strlen(t->view.filter);

	if (key == '\n' || key == KEY_ENTER || key == 27)
		t->is_typing = false;
	if (key == 27)
		t->view.filter[0] = '\0';
	else if ((key == KEY_BACKSPACE || key == 127 || key == '\b') && n)
		t->view.filter[n - 1] = '\0';
	else if (key >= ' ' && key < 0x100 && key != 127 && n + 1 < VIEW_FILTER)
		memcpy(t->view.filter + n, (char[]){(char)key, '\0'}, 2);
}

static void switch_agg(struct top *t, unsigned int by)
{
	unsigned int n = t->view.chart ? t->view.chart->aggs.n : 0;

	t->view.agg = n ? (t->view.agg + by + n) % n : 0;
	t->view.from = 0;
}

static void take_key(struct top *t, int key)
{
	int page = t->getmaxy(t->w) - VIEW_HEAD - 1;

	switch (key) {
	case 'q':
		t->k.env->consume->wants_exit = true;
		break;
	case 'p':
		t->view.is_paused = !t->view.is_paused;
		break;
	case 's':
		t->view.order = (t->view.order + 1) % VIEW_ORDERS;
		break;
	case 'r':
		t->view.is_reversed = !t->view.is_reversed;
		break;
	case '/':
		t->is_typing = true;
		break;
	case 27:
		t->view.filter[0] = '\0';
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
		t->view.from = 0;
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

static void print_line(void *ctx, int y, const char *text)
{
	const struct top *t = ctx;
	struct buf b = {0};

	view_text(&t->view, &b, text, t->view.width);
	puts(buf_str(&b));
	buf_free(&b);
}

/* Leaves the table on the terminal. */
static void print_table(struct top *t)
{
	if (t->view.chart)
		view_each_line(&t->view, print_line, t);
	fflush(stdout);
}

static void close_screen(struct sink *k)
{
	struct top *t = (struct top *)k;

	if (!t->screen)
		return;
	open_top = NULL;
	/* Some terminals have one screen only. */
	if (t->w) {
		t->werase(t->w);
		t->wrefresh(t->w);
		t->delwin(t->w);
	}
	t->endwin();
	t->delscreen(t->screen);
	t->screen = NULL;
	t->w = NULL;
	print_table(t);
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
	if (!t->view.is_paused &&
	    (!t->view.read || clock_ns() - t->view.read >= t->k.env->opts->num[OPT_aggrate])) {
		view_read(&t->view, t->k.env->consume, false);
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
		view_choose(&t->view);
		draw(t);
	}
}

/* Reads the values with which tracing has ended. */
static void take_last(struct sink *k)
{
	struct top *t = (struct top *)k;

	if (!t->w)
		return;
	view_read(&t->view, t->k.env->consume, true);
	view_choose(&t->view);
}

static void free_top(struct sink *k)
{
	struct top *t = (struct top *)k;

	close_screen(k);
	view_free(&t->view);
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
	t->view.is_utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	return &t->k;
}

const struct sink_type sink_top = {
    .start = open_top_sink,
    .round = run,
    .take = take_last,
    .stop = close_screen,
    .free = free_top,
};
