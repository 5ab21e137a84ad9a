/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * consume.c: records of the ring buffer, in order, to output.
 *
 * With flowindent a record can only be printed when the next one is known (of a return probe only
 * the last clause counts as return), so one record is kept back.
 */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/mem.h"
#include "kern/kern.h"
#include "out/fmt.h"
#include "out/msg.h"
#include "out/print.h"
#include "run/session.h"
#include "run/world.h"

struct value consume_value(const struct item *it, const void *base)
{
	const char *p = (const char *)base + it->off;
	struct value v = {.data = p, .len = it->size};

	switch (it->enc) {
	case ITEM_INT:
		v.kind = it->type && type_is_pointer(it->type) ? VALUE_PTR : VALUE_INT;
		v.size = (uint8_t)it->size;
		v.is_signed = it->is_signed;
		break;
	case ITEM_STR:
		v.kind = VALUE_STR;
		break;
	case ITEM_BYTES:
		v.kind = VALUE_BYTES;
		break;
	case ITEM_STACK:
		v.kind = VALUE_STACK;
		break;
	case ITEM_SYM:
		v.kind = VALUE_SYM;
		break;
	case ITEM_MOD:
		v.kind = VALUE_MOD;
		break;
	case ITEM_USTACK:
	case ITEM_USYM:
	case ITEM_UMOD:
	case ITEM_UADDR:
		v.kind = it->enc == ITEM_USTACK ? VALUE_USTACK
			 : it->enc == ITEM_USYM ? VALUE_USYM
			 : it->enc == ITEM_UMOD ? VALUE_UMOD
						: VALUE_UADDR;
		memcpy(&v.pid, p, 4);
		v.data = p + 8;
		v.len = it->size - 8;
		break;
	}
	return v;
}

static int64_t item_int(const struct rec_desc *d, unsigned int item, const void *rec)
{
	int64_t v;

	memcpy(&v, (const char *)rec + d->items.a[item].off, 8);
	return v;
}

/* Text of a printf-like action, in a buffer of its own. */
static char *format_text(struct session *s, const struct rec_act *act, const struct value *v)
{
	struct buf b = {0};
	struct out o;
	char *text;

	out_init_buf(&o, &b);
	fmt_print(&o, act->fmt, v, act->n);
	text = arena_strdup(s->arena, buf_str(&b));
	out_free(&o);
	buf_free(&b);
	return text;
}

static void do_system(struct session *s, const char *cmd)
{
	out_flush(&s->out);
	if (system(cmd) < 0)
		session_error(s, "failed to execute %s", cmd);
}

static void do_freopen(struct session *s, const char *path)
{
	FILE *f = *path ? fopen(path, "ae") : s->file;

	if (!f) {
		session_error(s, "failed to open output file '%s': %s", path, strerror(errno));
		return;
	}
	out_flush(&s->out);
	out_redirect(&s->out, f);
	if (s->reopened)
		fclose(s->reopened);
	s->reopened = *path ? f : NULL;
}

/* An error in a clause at a probe; m says which. */
static void report_error(struct session *s, const struct rec_desc *d, uint32_t probe,
			 struct msg_error *m)
{
	struct probe *p = probe_by_id(s->lo.probes, probe);
	struct buf b = {0};

	m->dialect = s->lo.dialect;
	m->epid = d->epid_base + probe - d->probe_base;
	m->clause = d->clause->id;
	m->id = probe;
	m->prov = p ? p->prov : "";
	m->mod = p ? p->mod : "";
	m->func = p ? p->func : "";
	m->name = p ? p->name : "";
	msg_error(&b, m);
	out_flush(&s->out);
	session_error(s, "%s", b.s);
	buf_free(&b);
}

static void do_setopt(struct session *s, const struct rec_desc *d, const struct abi_rec *r,
		      const struct value *v, unsigned int n)
{
	const char *name = v[0].data, *value = n > 1 ? v[1].data : NULL;
	const char *why = session_setopt(s, name, value);
	struct msg_error m = {0};

	if (!why)
		return;
	m.text = arena_printf(s->arena, "couldn't set option \"%s\" to \"%s\": %s", name,
			      value ? value : "", why);
	report_error(s, d, r->probe, &m);
}

static void do_tracemem(struct session *s, const struct rec_act *act, const struct value *v)
{
	uint64_t n = (uint64_t)value_int(&v[1]);

	if (n == 0 || n > (uint64_t)act->val)
		n = (uint64_t)act->val;
	value_dump(&s->out, act->name, v[0].data, (uint32_t)n);
}

/* The file is one of packets: a header first (www.tcpdump.org/manpages/pcap-savefile.5.html). */
static void pcap_write(FILE *f, const struct value *v, uint32_t kept)
{
	uint64_t ns = (uint64_t)value_int(&v[PCAP_TIME]);
	uint32_t packet[4] = {(uint32_t)(ns / 1000000000), (uint32_t)(ns % 1000000000), kept,
			      (uint32_t)value_int(&v[PCAP_LEN])};
	struct {
		uint32_t magic; /* of times in nanoseconds */
		uint16_t major, minor;
		uint32_t zone, precision, max, type;
	} head = {0xa1b23c4d, 2, 4, 0, 0, v[PCAP_DATA].len, (uint32_t)value_int(&v[PCAP_TYPE])};

	if (ftello(f) == 0)
		fwrite(&head, sizeof(head), 1, f);
	fwrite(packet, sizeof(packet), 1, f);
	fwrite(v[PCAP_DATA].data, 1, kept, f);
	fflush(f);
}

/* To the file of freopen(), whose text goes to standard output from then on; else as text. */
static void do_pcap(struct session *s, const struct value *v)
{
	uint64_t kept = (uint64_t)value_int(&v[PCAP_KEPT]);

	if (kept > v[PCAP_DATA].len)
		kept = v[PCAP_DATA].len;
	if (s->reopened) {
		out_flush(&s->out);
		out_redirect(&s->out, s->file);
		pcap_write(s->reopened, v, (uint32_t)kept);
	} else {
		value_dump(&s->out, "pcap", v[PCAP_DATA].data, (uint32_t)kept);
	}
}

/* The value; or an address, and what is there. */
static void do_print(struct session *s, const struct item *items, unsigned int n, const void *rec,
		     const struct value *v)
{
	const struct item *it = &items[n - 1];
	const struct print_type *t = print_type_of(s, it->type);
	uint64_t size = it->enc == ITEM_STR ? it->size : t->size, max = s->opts.num[OPT_printsize];

	if (size > max)
		size = max;
	if (n > 1)
		print_pointed(&s->out, value_unsigned(v), t, (const char *)rec + it->off, size);
	else
		print_value(&s->out, t, (const char *)rec + it->off, size);
}

static void do_action(struct session *s, const struct rec_desc *d, const struct rec_act *act,
		      const void *rec)
{
	unsigned int n = act->n;
	uint64_t time = 0; /* of the firing */
	struct value *v;

	if (d->time_off)
		memcpy(&time, (const char *)rec + d->time_off, sizeof(time));
	while (s->values.n < n)
		vec_push(&s->values, (struct value){0});
	v = s->values.a;
	for (unsigned int i = 0; i < n; i++)
		v[i] = consume_value(&d->items.a[act->first + i], rec);
	if (strcmp(act->name, "printf") == 0)
		fmt_print(&s->out, act->fmt, v, n);
	else if (strcmp(act->name, "printa") == 0)
		aggs_printa(s, act, time);
	else if (strcmp(act->name, "exit") == 0) {
		s->wants_exit = true;
		s->exit_status = (int)item_int(d, act->first, rec);
	} else if (strcmp(act->name, "clear") == 0)
		aggs_clear(s, act->aggs[0], time);
	else if (strcmp(act->name, "trunc") == 0)
		aggs_trunc(s, act->aggs[0], n ? item_int(d, act->first, rec) : 0, time);
	else if (strcmp(act->name, "normalize") == 0)
		aggs_normalize(s, act->aggs[0], item_int(d, act->first, rec), time);
	else if (strcmp(act->name, "denormalize") == 0)
		aggs_normalize(s, act->aggs[0], 1, time);
	else if (strcmp(act->name, "tracemem") == 0)
		do_tracemem(s, act, v);
	else if (strcmp(act->name, "pcap") == 0)
		do_pcap(s, v);
	else if (strcmp(act->name, "print") == 0)
		do_print(s, &d->items.a[act->first], n, rec, v);
	else if (strcmp(act->name, "printm") == 0)
		value_dump(&s->out, act->name, v[0].data, (uint32_t)act->val);
	else if (strcmp(act->name, "system") == 0)
		do_system(s, format_text(s, act, v));
	else if (strcmp(act->name, "freopen") == 0)
		do_freopen(s, format_text(s, act, v));
	else if (strcmp(act->name, "setopt") == 0)
		do_setopt(s, d, rec, v, n);
	else if (strcmp(act->name, "ftruncate") == 0) {
		FILE *f = s->reopened ? s->reopened : s->file;

		out_flush(&s->out);
		if (ftruncate(fileno(f), 0) == 0)
			rewind(f);
	} else if (strcmp(act->name, "speculate") != 0) {
		for (unsigned int i = 0; i < n; i++)
			value_trace(&s->out, &v[i], s->out.opts.quiet);
	}
}

/* Records have headers unless the program is quiet. */
static struct table_rec header(struct session *s, const struct abi_rec *r, const struct rec_desc *d)
{
	struct probe *p = probe_by_id(s->lo.probes, r->probe);

	return (struct table_rec){.cpu = r->cpu,
				  .id = r->probe,
				  .clause = d->index,
				  .prov = p ? p->prov : "",
				  .mod = p ? p->mod : "",
				  .func = p ? p->func : "",
				  .name = p ? p->name : ""};
}

static void print_record(struct session *s, const struct abi_rec *r, const struct abi_rec *next)
{
	const struct rec_desc *d = s->lo.descs.a[r->desc - ABI_DESC_MIN];
	struct table_rec head = header(s, r, d), head_next;
	bool quiet = s->out.opts.quiet, set_quiet;

	if (!s->has_heading)
		table_heading(&s->out);
	s->has_heading = true;
	if (s->out.opts.flowindent) {
		if (next)
			head_next = header(s, next, s->lo.descs.a[next->desc - ABI_DESC_MIN]);
		table_flow_record(&s->out, &s->flow[r->cpu], &head,
				  next && next->cpu == r->cpu ? &head_next : NULL);
	} else {
		table_record(&s->out, &head);
	}
	for (unsigned int i = 0; i < d->acts.n; i++)
		do_action(s, d, &d->acts.a[i], r);
	/* A record ends as it began, also if it has set the option. */
	set_quiet = s->out.opts.quiet;
	s->out.opts.quiet = quiet;
	table_record_end(&s->out);
	s->out.opts.quiet = set_quiet;
}

/* The record that was kept back, followed by next (NULL: by nothing yet). */
void consume_held(struct session *s, const struct abi_rec *next)
{
	struct abi_rec *held = s->held;

	if (!held)
		return;
	s->held = NULL;
	print_record(s, held, next);
	mem_free(held);
}

static void fault(struct session *s, const struct abi_error *e)
{
	struct msg_error m = {
	    .fault = e->fault, .addr = e->value, .action = e->action, .offset = -1};

	report_error(s, s->lo.descs.a[e->desc], e->rec.probe, &m);
}

/* Does the record have all that its descriptor says? */
static bool is_sound(struct session *s, const struct abi_rec *r, size_t len)
{
	unsigned int n = s->lo.descs.n;

	if (len < sizeof(*r) || r->cpu >= kern_ncpu_possible(s->lo.kern))
		return false;
	if (r->desc == ABI_DESC_ERROR)
		return len >= sizeof(struct abi_error) && ((const struct abi_error *)r)->desc < n;
	if (r->desc < ABI_DESC_MIN)
		return len >= sizeof(struct abi_spec);
	return r->desc >= ABI_DESC_MIN && r->desc - ABI_DESC_MIN < (int)n &&
	       len >= s->lo.descs.a[r->desc - ABI_DESC_MIN]->size;
}

void consume_data(struct session *s, const void *data, size_t len)
{
	const struct abi_rec *r = data;

	consume_held(s, r);
	if (s->out.opts.flowindent) {
		s->held = mem_alloc(len);
		memcpy(s->held, data, len);
	} else {
		print_record(s, r, NULL);
	}
}

void consume_now(struct session *s, const void *data, size_t len)
{
	const struct abi_rec *r = data;
	const struct rec_desc *d;

	switch (r->desc) {
	case ABI_DESC_ERROR:
		consume_held(s, NULL);
		fault(s, data);
		return;
	case ABI_DESC_COMMIT:
	case ABI_DESC_DISCARD:
		spec_end(s, ((const struct abi_spec *)data)->handle, r->desc == ABI_DESC_COMMIT);
		return;
	default:
		d = s->lo.descs.a[r->desc - ABI_DESC_MIN];
		if (d->spec_item)
			spec_add(s, (uint64_t)item_int(d, d->spec_item - 1, data), data, len);
		else
			consume_data(s, data, len);
	}
}

static bool is_damaged(struct session *s, const void *data, size_t len)
{
	if (is_sound(s, data, len))
		return false;
	session_error(s, "damaged record of %zu bytes", len);
	return true;
}

int consume_record(void *ctx, void *data, size_t len)
{
	struct session *s = ctx;
	const struct abi_rec *r = data;

	if (is_damaged(s, data, len))
		return 0;
	if (r->desc == ABI_DESC_PROC)
		syms_meet(s, ((const struct abi_proc *)data)->pid);
	else if (s->lo.policy == LOWER_FILL)
		keep_record(s, data, len);
	else
		consume_now(s, data, len);
	return 0;
}

void consume_kept(struct session *s, const void *data, size_t len)
{
	if (!is_damaged(s, data, len))
		consume_now(s, data, len);
}

static enum msg_drop drop_kind(enum abi_drop k)
{
	switch (k) {
	case ABI_DROP_PRINCIPAL:
	case ABI_DROP_NESTED:
	case ABI_DROP_MAX:
		return MSG_DROP_PRINCIPAL;
	case ABI_DROP_AGGREGATION:
		return MSG_DROP_AGGREGATION;
	case ABI_DROP_DYNAMIC:
		return MSG_DROP_DYNAMIC;
	case ABI_DROP_SPEC:
		return MSG_DROP_SPEC;
	case ABI_DROP_SPECBUSY:
		return MSG_DROP_SPECBUSY;
	case ABI_DROP_SPECUNAVAIL:
		return MSG_DROP_SPECUNAVAIL;
	case ABI_DROP_DBLERROR:
		return MSG_DROP_DBLERROR;
	case ABI_DROP_STKSTROVERFLOW:
		return MSG_DROP_STKSTROVERFLOW;
	}
	return MSG_DROP_PRINCIPAL;
}

static void report_drop(struct session *s, enum abi_drop k, uint64_t n, uint64_t total, int cpu)
{
	struct msg_loss loss = {.kind = drop_kind(k), .n = n, .total = total};
	struct buf b = {0};

	if (!n)
		return;
	msg_drop(&b, drop_kind(k), n, cpu, s->opts.is_set[OPT_droptags]);
	loss.text = buf_str(&b);
	out_object(&s->out, OUT_OBJECT_DROP, &loss);
	out_flush(&s->out);
	session_error(s, "%s", b.s);
	buf_free(&b);
}

/* Firings the kernel skipped because the same program was already running on that CPU. */
static void report_misses(struct session *s)
{
	for (unsigned int i = 0; i < s->units.n; i++) {
		struct unit *u = s->units.a[i];
		uint64_t n = u->fd >= 0 ? s->world->misses(s, u) : 0;

		if (n <= u->misses)
			continue;
		out_flush(&s->out);
		session_error(s, "%llu nested firings missed at %s",
			      (unsigned long long)(n - u->misses), u->place);
		u->misses = n;
	}
}

/* Losses since the last call. */
void consume_drops(struct session *s)
{
	unsigned int ncpu = kern_ncpu_possible(s->lo.kern);
	uint64_t *now = mem_alloc((size_t)ncpu * ABI_DROP_MAX * sizeof(*now));
	uint64_t global[ABI_DROP_MAX], total[ABI_DROP_MAX];
	uint32_t zero = 0;

	memset(global, 0, sizeof(global));
	memset(total, 0, sizeof(total));
	if (s->world->lookup(s, MAP_DROPS, &zero, now)) {
		for (unsigned int c = 0; c < ncpu; c++) {
			for (int k = 0; k < ABI_DROP_MAX; k++) {
				uint64_t d =
				    now[c * ABI_DROP_MAX + k] - s->drops[c * ABI_DROP_MAX + k];

				total[k] += now[c * ABI_DROP_MAX + k];
				if (k == ABI_DROP_PRINCIPAL || k == ABI_DROP_AGGREGATION ||
				    k == ABI_DROP_NESTED)
					report_drop(s, k, d, now[c * ABI_DROP_MAX + k], (int)c);
				else
					global[k] += d;
			}
		}
		for (int k = 0; k < ABI_DROP_MAX; k++)
			report_drop(s, k, global[k], total[k], 0);
		memcpy(s->drops, now, (size_t)ncpu * ABI_DROP_MAX * sizeof(*now));
	}
	mem_free(now);
	report_misses(s);
}
