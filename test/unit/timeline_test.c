/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * timeline_test.c: records to events over time: pairs, nesting, spans, order, threads, counters.
 * Events are written as text, one line each.
 */
#include <inttypes.h>

#include "base/buf.h"
#include "base/mem.h"
#include "print/table.h"
#include "timeline/timeline.h"
#include "test.h"

static struct buf text;
static unsigned int nclosed;
static struct timeline *tl;

/* ---- a format for reading ---- */

static void put_thread(struct timeline_out *out, const struct timeline_thread *t)
{
	buf_printf(&text, "thread %" PRIu64 " %s%s%u/%u %s\n", t->number,
		   t->machine ? t->machine : "", t->machine ? ":" : "", t->pid, t->tid, t->name);
}

static void put_event(struct timeline_out *out, const struct timeline_event *e)
{
	static const char *const kinds[] = {"begin", "end", "instant", "sample", "counter"};
	static const char *const flows[] = {"", " flow", " flow+", " flow."};

	buf_printf(&text, "%" PRIu64 " %s %s:%s", e->time, kinds[e->kind], e->category, e->name);
	if (e->thread)
		buf_printf(&text, " @%" PRIu64, e->thread->number);
	if (e->span)
		buf_printf(&text, " #%" PRIu64, e->span);
	buf_puts(&text, flows[e->flow]);
	if (e->kind == TIMELINE_COUNTER)
		buf_printf(&text, " %" PRIu64 "=%" PRId64, e->counter, e->value);
	for (unsigned int i = 0; i < e->nargs; i++) {
		const struct timeline_arg *a = &e->args[i];

		buf_printf(&text, " %s=", a->name);
		if (a->type == TIMELINE_TEXT)
			buf_add(&text, a->text, a->n);
		else
			buf_printf(&text, "%" PRId64, (int64_t)a->num);
	}
	for (unsigned int i = 0; i < e->nstack; i++)
		buf_printf(&text, " <%s", e->stack[i]);
	if (e->traceparent)
		buf_printf(&text, " of %s", e->traceparent);
	buf_putc(&text, '\n');
}

static void no_op(struct timeline_out *out)
{
}

static void count_close(struct timeline_out *out)
{
	nclosed++;
}

static void free_out(struct timeline_out *out)
{
	mem_free(out);
}

static const struct timeline_format format = {.thread = put_thread,
					      .event = put_event,
					      .flush = no_op,
					      .renew = no_op,
					      .close = count_close,
					      .free = free_out};

/* ---- records ---- */

/* The program records returns and ends of everything but "single". */
static bool is_recorded(void *ctx, const struct table_rec *r, const char *name, bool any_function)
{
	return strcmp(r->func, "single") != 0;
}

static void start(void)
{
	struct timeline_out *out = mem_alloc(sizeof(*out));

	out->format = &format;
	buf_reset(&text);
	tl = timeline_new(&out, 1, is_recorded, NULL);
}

/* Ends the timeline; returns the events so far. */
static const char *stop(uint64_t time, uint64_t unended, uint64_t unbegun)
{
	struct slices_counts counts;

	timeline_end(tl, time, &counts);
	timeline_free(tl);
	CHECK_INT(counts.unended, unended);
	CHECK_INT(counts.unbegun, unbegun);
	return buf_str(&text);
}

/* Ids of probes follow from their names. */
static struct table_rec record(uint64_t time, const char *func, const char *name)
{
	struct table_rec r = {.prov = "fbt",
			      .mod = "vmlinux",
			      .func = func,
			      .name = name,
			      .time = time,
			      .has_thread = true,
			      .thread = {.pid = 7, .tid = 8, .name = "sh"}};

	for (const char *s = func; *s; s++)
		r.id = r.id * 31 + (unsigned char)*s;
	for (const char *s = name; *s; s++)
		r.id = r.id * 31 + (unsigned char)*s;
	return r;
}

static void fire(uint64_t time, const char *func, const char *name)
{
	struct table_rec r = record(time, func, name);

	timeline_record(tl, &r);
	timeline_record_ends(tl);
}

/* A thread of process `pid` with this number. */
static void fire_at(uint64_t time, uint32_t pid, const char *func, const char *name)
{
	struct table_rec r = record(time, func, name);

	r.thread.pid = r.thread.tid = pid;
	timeline_record(tl, &r);
}

/* ---- tests ---- */

static void pairs(void)
{
	struct table_rec r;

	start();
	fire(1, "f", "entry");
	fire(2, "g", "entry");
	fire(3, "g", "entry");
	fire(4, "g", "return");
	fire(5, "g", "return");
	fire(6, "f", "return");
	fire(7, "f", "return");
	fire(8, "single", "entry");
	fire(9, "", "tick");
	CHECK_STR(stop(0, 0, 1), "thread 1 7/8 sh\n"
				 "1 begin fbt:f @1\n2 begin fbt:g @1\n3 begin fbt:g @1\n"
				 "4 end fbt:g @1\n5 end fbt:g @1\n6 end fbt:f @1\n"
				 "7 instant fbt:f @1\n8 instant fbt:single:entry @1\n"
				 "9 instant fbt:tick @1\n");
	CHECK_INT(nclosed, 1);

	/* Only probes of a process form a pair by the end of their names. */
	start();
	fire(1, "f", "query-start");
	for (unsigned int i = 0; i < 2; i++) {
		r = record(2 + i, i ? "g" : "f", i ? "query-done" : "query-start");
		r.prov = "db12";
		r.id++;
		timeline_record(tl, &r);
	}
	CHECK_STR(stop(0, 0, 0), "thread 1 7/8 sh\n1 instant fbt:f:query-start @1\n"
				 "2 begin db12:query @1\n3 end db12:query @1\n");

	/* All processes share the probes of a provider with a pattern. */
	start();
	for (unsigned int i = 0; i < 2; i++) {
		r = record(1 + i, "f", i ? "query-done" : "query-start");
		r.prov = "db*";
		timeline_record(tl, &r);
	}
	CHECK_STR(stop(0, 0, 0), "thread 1 7/8 sh\n1 begin db*:query @1\n2 end db*:query @1\n");

	/* A system call that does not return is an instant. */
	start();
	r = record(1, "exit_group", "entry");
	r.prov = "syscall";
	timeline_record(tl, &r);
	CHECK_STR(stop(0, 0, 0), "thread 1 7/8 sh\n1 instant syscall:exit_group:entry @1\n");
}

/* The end of a slice ends those inside. */
static void unended(void)
{
	start();
	fire(1, "f", "entry");
	fire(2, "g", "entry");
	fire(3, "f", "return");
	fire(4, "f", "entry");
	CHECK_STR(stop(9, 2, 0), "thread 1 7/8 sh\n1 begin fbt:f @1\n2 begin fbt:g @1\n"
				 "3 end fbt:g @1\n3 end fbt:f @1\n4 begin fbt:f @1\n"
				 "9 end fbt:f @1\n");
}

/* All records of a firing are one event, and data of an end have other names. */
static void data(void)
{
	struct table_rec r = record(1, "f", "entry");

	start();
	timeline_record(tl, &r);
	timeline_number(tl, "value", 5, true);
	timeline_text(tl, "value", "a\0b", 3);
	timeline_record_ends(tl);
	timeline_record(tl, &r);
	timeline_number(tl, "value", (uint64_t)-5, true);
	timeline_frame(tl, "inner", 5);
	timeline_frame(tl, "outer", 5);
	r = record(2, "f", "return");
	timeline_record(tl, &r);
	timeline_number(tl, "value", 6, false);
	stop(0, 0, 0);
	CHECK(text.n == 103 && memcmp(text.s,
				      "thread 1 7/8 sh\n"
				      "1 begin fbt:f @1 value=5 value2=a\0b value3=-5 <inner "
				      "<outer\n2 end fbt:f @1 end_value=6\n",
				      103) == 0);
}

/* A stack of a profile alone is a sample. */
static void samples(void)
{
	struct table_rec r = record(1, "", "profile-97");

	r.prov = "profile";
	start();
	timeline_record(tl, &r);
	timeline_frame(tl, "f", 1);
	r.time = 2;
	timeline_record(tl, &r);
	timeline_frame(tl, "f", 1);
	timeline_number(tl, "value", 1, true);
	r.time = 3;
	timeline_record(tl, &r);
	CHECK_STR(stop(0, 0, 0), "thread 1 7/8 sh\n1 sample profile:profile-97 @1 <f\n"
				 "2 instant profile:profile-97 @1 value=1 <f\n"
				 "3 instant profile:profile-97 @1\n");
}

/* Records of CPUs come late, but not by more than 20 ms. */
static void order(void)
{
	start();
	fire_at(30000000, 1, "f", "entry");
	fire_at(20000000, 2, "f", "entry");
	fire_at(20000000, 3, "f", "entry");
	fire_at(10000000, 2, "f", "return");
	timeline_flush(tl, 40000001);
	CHECK_STR(buf_str(&text),
		  "thread 1 2/2 sh\n10000000 instant fbt:f @1\n20000000 begin fbt:f @1\n"
		  "thread 2 3/3 sh\n20000000 begin fbt:f @2\n");
	buf_reset(&text);
	fire_at(50000001, 2, "f", "return");
	CHECK_STR(buf_str(&text), "thread 3 1/1 sh\n30000000 begin fbt:f @3\n");
	buf_reset(&text);
	CHECK_STR(stop(0, 2, 1), "50000001 end fbt:f @1\n50000001 end fbt:f @2\n"
				 "50000001 end fbt:f @3\n");
}

/* A number of a thread that was used again is another thread; a new name is not. */
static void threads(void)
{
	struct table_rec r;

	start();
	fire(1, "f", "entry");
	r = record(2, "f", "return");
	snprintf(r.thread.name, sizeof(r.thread.name), "ls");
	timeline_record(tl, &r);
	fire(3, "f", "entry");
	r = record(4, "f", "entry");
	r.thread.pid = 9;
	timeline_record(tl, &r);
	r = record(5, "f", "entry");
	r.thread = (struct table_thread){.name = "swapper/1"};
	r.cpu = 1;
	timeline_record(tl, &r);
	r.cpu = 0;
	r.machine = "vm";
	r.vmid = 1;
	timeline_record(tl, &r);
	CHECK_STR(stop(0, 4, 0),
		  "thread 1 7/8 sh\n1 begin fbt:f @1\nthread 1 7/8 ls\n2 end fbt:f @1\n"
		  "thread 1 7/8 sh\n3 begin fbt:f @1\n4 end fbt:f @1\nthread 2 9/8 sh\n"
		  "4 begin fbt:f @2\nthread 3 0/0 swapper/1\n5 begin fbt:f @3\n"
		  "thread 4 vm:0/0 swapper/1\n5 begin fbt:f @4\n"
		  "5 end fbt:f @2\n5 end fbt:f @3\n5 end fbt:f @4\n");
}

static void begin(uint64_t time, uint32_t pid, const char *name, const char *id, const char *parent)
{
	fire_at(time, pid, "single", "entry");
	timeline_number(tl, "value", time, true);
	timeline_span_begins(tl, name, id, parent);
}

static void end(uint64_t time, uint32_t pid, const char *id)
{
	fire_at(time, pid, "single", "entry");
	timeline_span_ends(tl, id);
}

static void spans(void)
{
	start();
	begin(1, 7, "outer", NULL, NULL);
	begin(2, 7, "inner", NULL, NULL);
	end(3, 7, NULL);
	end(4, 7, NULL);
	end(5, 7, NULL);
	end(6, 7, "x");
	CHECK_STR(stop(0, 0, 2), "thread 1 7/7 sh\n1 begin span:outer @1 value=1\n"
				 "2 begin span:inner @1 value=2\n3 end span:inner @1\n"
				 "4 end span:outer @1\n5 instant span:span_end @1\n"
				 "6 instant span:span_end @1\n");

	/* Ids are of the process, or else of any. */
	start();
	begin(1, 1, "a", "x", NULL);
	begin(2, 2, "b", "x", "00-1-2-3");
	begin(3, 2, "c", "x", NULL);
	end(4, 2, "x");
	end(5, 3, "x");
	end(6, 1, "x");
	begin(7, 1, "d", "x", NULL);
	CHECK_STR(stop(8, 1, 0),
		  "thread 1 1/1 sh\n1 begin span:a @1 #1 flow value=1\n"
		  "thread 2 2/2 sh\n2 begin span:b @2 #2 flow+ value=2 traceparent=00-1-2-3"
		  " of 00-1-2-3\n3 begin span:c @2 #3 flow value=3\n4 end span:c @2 #3\n"
		  "thread 3 3/3 sh\n5 instant span:b @3 flow.\n5 end span:b @2 #2\n"
		  "6 end span:a @1 #1\n7 begin span:d @1 #4 flow value=7\n8 end span:d @1 #4\n");
}

static void counters(void)
{
	char name[32];

	start();
	CHECK(timeline_row(tl, "a", "@a[x]", 2) && timeline_row(tl, "a", "@a[y]", 3) &&
	      timeline_row(tl, "a", "@a[x]", 4) && timeline_row(tl, "b", "@b", 0));
	timeline_rows_end(tl, "a", 1);
	timeline_rows_end(tl, "b", 1);
	timeline_row(tl, "a", "@a[x]", 6);
	timeline_rows_end(tl, "a", 2);
	timeline_note(tl, 3, "drop", "lost");
	CHECK_STR(buf_str(&text),
		  "1 counter aggregation:@a[x] 1=6\n1 counter aggregation:@a[y] 2=3\n"
		  "1 counter aggregation:@b 3=0\n2 counter aggregation:@a[y] 2=0\n"
		  "3 instant dtrace:drop message=lost\n");
	for (unsigned int i = 0; i < 997; i++) {
		snprintf(name, sizeof(name), "@c[%u]", i);
		CHECK(timeline_row(tl, "c", name, 1));
	}
	CHECK(!timeline_row(tl, "c", "@c[x]", 1) && timeline_row(tl, "a", "@a[x]", 1));
	stop(0, 0, 0);
}

/* Another file begins with threads, and without open slices. */
static void renew(void)
{
	start();
	fire(1, "f", "entry");
	begin(2, 9, "s", "x", NULL);
	timeline_renew(tl);
	fire(3, "f", "return");
	CHECK_STR(stop(0, 2, 1), "thread 1 7/8 sh\n1 begin fbt:f @1\nthread 2 9/9 sh\n"
				 "2 begin span:s @2 #1 flow value=2\n2 end fbt:f @1\n"
				 "2 end span:s @2 #1\nthread 3 7/8 sh\n3 instant fbt:f @3\n");
}

int main(void)
{
	pairs();
	unended();
	data();
	samples();
	order();
	threads();
	spans();
	counters();
	renew();
	buf_free(&text);
	return TEST_DONE();
}
