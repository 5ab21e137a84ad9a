/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * consume.c: records of the ring buffer, in order, to output.
 *
 * With flowindent, one record is kept back until the next one is known.  Only the last clause of a
 * return probe counts as the return.
 */
#include <assert.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/file.h"
#include "kern/kern.h"
#include "print/msg.h"
#include "plan/consumer.h"
#include "consume/consume.h"
#include "consume/runtime.h"
#include "consume/unwind.h"
#include "load/backend.h"

void consume_init(struct consume *co)
{
	co->modules = map_new();
	unwind_init(co);
	runtime_init(co);
	co->print_types = map_new();
	co->lines = map_new();
	co->name_numbers = map_new();
	co->specs = map_new();
	co->spec_ended = map_new();
}

void consume_start(struct consume *co)
{
	if (!co->npeers) {
		co->peers = arena_new_obj(co->arena, struct consume *);
		co->peers[co->npeers++] = co;
	}
	unsigned int ncpu = kern_ncpu_possible(co->plan->env.kern);

	co->drops = mem_alloc(ncpu * ABI_DROP_MAX * sizeof(*co->drops));
	co->flow = mem_alloc(ncpu * sizeof(*co->flow));
}

void consume_free(struct consume *co)
{
	aggs_free(co);
	spec_free(co);
	keep_free(co);
	map_free(co->modules);
	unwind_fini(co);
	runtime_fini(co);
	map_free(co->print_types);
	map_free(co->lines);
	map_free(co->name_numbers);
	vec_free(&co->names);
	vec_free(&co->values);
	vec_free(&co->stacks);
	mem_free(co->held);
	mem_free(co->drops);
	mem_free(co->flow);
	out_free(co->out);
}

/* Returns true if frames of a process or of the kernel fill their room.  The last word of frames
 * that have become names says it (name_stack). */
static bool is_full(const struct item *it, const char *frames, bool is_named)
{
	uint32_t room = (it->size - 8) / (it->is_mixed && !is_named ? 2 : 1);
	uint64_t last;

	memcpy(&last, frames + room - 8, 8);
	return last != 0;
}

struct value consume_value(const struct item *it, const void *base)
{
	const char *p = (const char *)base + it->off;
	struct value v = {.data = p, .len = it->size};
	uint64_t owner;

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
		memcpy(&owner, p, 8);
		v.kind = owner & ABI_STACK_USER	   ? VALUE_USTACK
			 : consume_is_named(owner) ? VALUE_LINES
						   : VALUE_STACK;
		v.pid = (uint32_t)owner;
		v.data = p + 8;
		v.len = it->size - 8;
		v.is_cut = is_full(it, v.data, v.kind == VALUE_LINES);
		break;
	case ITEM_SYM:
		v.kind = VALUE_SYM;
		break;
	case ITEM_MOD:
		v.kind = VALUE_MOD;
		break;
	case ITEM_USYM:
	case ITEM_UMOD:
	case ITEM_UADDR:
		v.kind = it->enc == ITEM_USYM	? VALUE_USYM
			 : it->enc == ITEM_UMOD ? VALUE_UMOD
						: VALUE_UADDR;
		memcpy(&v.pid, p, 4);
		v.data = p + 8;
		v.len = it->size - 8;
		break;
	}
	return v;
}

/* Puts the frames of languages of a record into its stack.  drop_stacks frees them. */
static void mix(struct consume *co, struct value *v)
{
	const uint64_t *frames;
	unsigned int n = runtime_mix(co, v->pid, v->data, v->len, &frames, &v->is_cut);
	uint64_t *copy;

	if (!n)
		return;
	copy = mem_alloc(n * sizeof(*copy));
	memcpy(copy, frames, n * sizeof(*copy));
	vec_push(&co->stacks, copy);
	v->data = copy;
	v->len = n * sizeof(*copy);
}

/* Removes wrong callers from the stack of a record.  drop_stacks frees the frames. */
static void remove_wrong(struct consume *co, struct value *v)
{
	unsigned int first, n = syms_wrong_frames(co, v->pid, v->data, v->len, &first);
	void *copy;

	if (!n)
		return;
	copy = mem_alloc(v->len);
	memcpy(copy, v->data, v->len);
	syms_remove_frames(copy, v->len, first, n);
	vec_push(&co->stacks, copy);
	v->data = copy;
	v->is_cut = false;
}

static void drop_stacks(struct consume *co)
{
	while (co->stacks.n)
		mem_free(co->stacks.a[--co->stacks.n]);
}

static int64_t item_int(const struct rec_desc *d, unsigned int item, const void *rec)
{
	int64_t v;

	memcpy(&v, (const char *)rec + d->items.a[item].off, 8);
	return v;
}

static bool has_listener(const struct consume *co, bool for_errors)
{
	return co->listener &&
	       (for_errors ? co->listener->error != NULL : co->listener->drop != NULL);
}

/* Returns true for a call with a descriptor of a folder in arg0 and a path in arg1. */
static bool is_at_call(const char *func)
{
	static const char *const calls[] = {
	    "execveat", "faccessat",  "faccessat2", "fchmodat", "fchmodat2",
	    "fchownat", "fstatat64",  "futimesat",  "linkat",	"mkdirat",
	    "mknodat",	"newfstatat", "openat",	    "openat2",	"readlinkat",
	    "renameat", "renameat2",  "statx",	    "unlinkat", "utimensat",
	};

	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (strcmp(calls[i], func) == 0)
			return true;
	return false;
}

/*
 * Scripts for other systems read the path of open() from arg0, at its entry or, from a variable, at
 * its return.  Reports once per call if arg0 was AT_FDCWD (-100, fcntl.h).
 */
static void hint_path(struct consume *co, const struct msg_error *m)
{
	bool is_folder = (int32_t)m->addr == -100;

	if (m->fault != ABI_FLT_BADADDR || !is_folder || strcmp(m->prov, "syscall") != 0 ||
	    !is_at_call(m->func) || co->hinted == m->func)
		return;
	co->hinted = m->func;
	report_error(co->report, "arg0 of %s is a descriptor; the path is arg1", m->func);
}

/* Reports an error in a clause at a probe.  Fills in the clause and probe of m. */
static void clause_error(struct consume *co, const struct rec_desc *d, const struct abi_rec *r,
			 struct msg_error *m)
{
	uint32_t probe = r->probe;
	struct probe *p = probe_by_id(co->plan->env.probes, probe);
	struct buf b = {0};

	m->dialect = co->plan->opt.dialect;
	m->epid = d->epid_base + probe - d->probe_base;
	m->clause = d->clause->id;
	m->id = probe;
	m->prov = p ? p->prov : "";
	m->mod = p ? p->mod : "";
	m->func = p ? p->func : "";
	m->name = p ? p->name : "";
	out_object(co->out, OUT_OBJECT_ERROR, m);
	msg_error(&b, m);
	out_flush(co->out);
	if (has_listener(co, true))
		co->listener->error(co->listener_ctx, d, r, m, b.s);
	else
		report_error(co->report, "%s", b.s);
	buf_free(&b);
	hint_path(co, m);
}

/* ---- services for actions ---- */

static void do_error(struct consumer *c, const char *text)
{
	struct msg_error m = {.text = text};

	clause_error(c->ctx, c->desc, c->rec, &m);
}

static void do_message(struct consumer *c, const char *text)
{
	struct consume *co = c->ctx;

	if (has_listener(co, true))
		do_error(c, text);
	else
		report_error(co->report, "%s", text);
}

void consume_let_exit(struct consume *co)
{
	for (unsigned int i = 0; i < co->npeers; i++)
		co->peers[i]->has_exited = false;
}

static void do_exit(struct consumer *c, int status)
{
	struct consume *co = c->ctx;

	if (co->has_exited)
		return;
	co->has_exited = true;
	co->wants_exit = true;
	co->exit_status = status;
}

static const char *do_setopt(struct consumer *c, const char *name, const char *value)
{
	struct consume *co = c->ctx;

	return co->setopt(co->ctx, name, value);
}

static FILE *do_reopened(const struct consumer *c)
{
	return ((const struct consume *)c->ctx)->reopened;
}

static FILE *do_original(const struct consumer *c)
{
	return ((const struct consume *)c->ctx)->file;
}

static struct capture *do_capture(const struct consumer *c)
{
	return &((struct consume *)c->ctx)->capture;
}

static void do_reopen(struct consumer *c, FILE *f)
{
	struct consume *co = c->ctx;

	out_flush(co->out);
	out_redirect(co->out, f ? f : co->file);
	if (co->reopened)
		fclose(co->reopened);
	co->reopened = f;
	co->capture = (struct capture){0};
}

FILE *consume_open(struct consume *co, const char *path)
{
	FILE *f = file_is_numbered(path) ? file_write_next(path, &co->number)
					 : file_write(path, FILE_APPEND);

	if (!f)
		report_error(co->report, "failed to open output file '%s': %s", path, file_why());
	return f;
}

/* Switches files between records, so each file has whole records. */
void consume_rotate(struct consume *co)
{
	FILE *f = consume_open(co, co->path);

	if (!f)
		return;
	/* A structured document ends with its file. */
	if (!co->reopened)
		out_redirect(co->out, co->file);
	out_flush(co->out);
	out_tell(co->out, OUT_OBJECT_FILE, NULL);
	dup3(fileno(f), fileno(co->file), O_CLOEXEC);
	fclose(f);
}

void consume_begin_snapshot(struct consume *co)
{
	if (!co->path || !file_is_numbered(co->path))
		return;
	if (co->has_snapshot) {
		consume_rotate(co);
		co->has_heading = false;
	}
	co->has_snapshot = true;
}

static void do_printa(struct consumer *c, const struct rec_act *act)
{
	struct consume *co = c->ctx;

	if (!co->listener || !co->listener->printa(co->listener_ctx, act, c->time))
		aggs_printa(co, act, c->time);
}

static void do_clear(struct consumer *c, struct ident *agg)
{
	aggs_clear(c->ctx, agg, c->time);
}

static void do_trunc(struct consumer *c, struct ident *agg, int64_t n)
{
	aggs_trunc(c->ctx, agg, n, c->time);
}

static void do_normalize(struct consumer *c, struct ident *agg, int64_t n)
{
	aggs_normalize(c->ctx, agg, n, c->time);
}

static const struct print_type *do_print_type(struct consumer *c, struct type *t)
{
	return print_type_of(c->ctx, t);
}

static uint64_t do_print_size(const struct consumer *c)
{
	return ((const struct consume *)c->ctx)->opts->num[OPT_printsize];
}

static const struct consumer_ops consumer_ops = {
    .message = do_message,
    .error = do_error,
    .exit = do_exit,
    .setopt = do_setopt,
    .reopened = do_reopened,
    .original = do_original,
    .capture = do_capture,
    .reopen = do_reopen,
    .printa = do_printa,
    .clear = do_clear,
    .trunc = do_trunc,
    .normalize = do_normalize,
    .print_type = do_print_type,
    .print_size = do_print_size,
};

void consume_action(struct consume *co, const struct rec_desc *d, const struct abi_rec *r,
		    unsigned int action)
{
	struct consumer c = {.ops = &consumer_ops, .ctx = co, .out = co->out, .rec = r, .desc = d};
	const struct rec_act *act = &d->acts.a[action];

	if (!act->impl->consume)
		return;
	if (d->time_off)
		memcpy(&c.time, (const char *)r + d->time_off, sizeof(c.time));
	co->values.n = 0;
	for (unsigned int k = 0; k < act->n; k++) {
		struct value v = consume_value(&d->items.a[act->first + k], r);

		if (v.kind == VALUE_LINES)
			v.data = syms_lines(co, v.data, v.len);
		if (v.kind == VALUE_USTACK)
			remove_wrong(co, &v);
		if (v.kind == VALUE_USTACK && co->plan->lang_new)
			mix(co, &v);
		vec_push(&co->values, v);
	}
	act->impl->consume(&c, act, co->values.a);
	drop_stacks(co);
}

static void put_thread(struct consume *co, const struct abi_rec *r, const struct rec_desc *d,
		       struct table_rec *head)
{
	struct abi_thread t;

	memcpy(&head->time, (const char *)r + d->time_off, sizeof(head->time));
	memcpy(&t, (const char *)r + d->thread_off, sizeof(t));
	head->wall = co->plan->opt.wall_offset;
	head->thread.pid = t.pid;
	head->thread.tid = t.tid;
	memcpy(head->thread.name, t.name, sizeof(t.name));
	head->machine = co->plan->env.vmid ? co->plan->env.vmname : NULL;
	head->vmid = co->plan->env.vmid;
}

struct table_rec consume_header(struct consume *co, const struct abi_rec *r,
				const struct rec_desc *d)
{
	struct probe *p = probe_by_id(co->plan->env.probes, r->probe);
	struct table_rec head = {.cpu = r->cpu,
				 .id = r->probe,
				 .clause = d->index,
				 .prov = p ? p->prov : "",
				 .mod = p ? p->mod : "",
				 .func = p ? p->func : "",
				 .name = p ? p->name : "",
				 .is_gate = p && p->provider->is_gate,
				 .has_thread = d->thread_off,
				 .is_default = !d->acts.n};

	if (d->thread_off)
		put_thread(co, r, d, &head);
	return head;
}

void consume_begin(struct consume *co, const struct rec_desc *d, const struct abi_rec *r,
		   const struct abi_rec *next, struct table_rec *head)
{
	struct table_rec head_next;

	*head = consume_header(co, r, d);
	if (!co->peers[0]->has_heading)
		table_heading(co->out);
	co->peers[0]->has_heading = true;
	if (co->out->opts.flowindent) {
		if (next)
			head_next =
			    consume_header(co, next, co->plan->descs.a[next->desc - ABI_DESC_MIN]);
		table_flow_record(co->out, &co->flow[r->cpu], head,
				  next && next->cpu == r->cpu ? &head_next : NULL);
	} else {
		table_record(co->out, head);
	}
}

static void print_record(struct consume *co, const struct abi_rec *r, const struct abi_rec *next)
{
	const struct rec_desc *d = co->plan->descs.a[r->desc - ABI_DESC_MIN];
	bool quiet = co->out->opts.quiet, set_quiet;
	struct table_rec head;

	if (co->listener) {
		co->listener->record(co->listener_ctx, d, r, next);
		return;
	}
	consume_begin(co, d, r, next, &head);
	for (unsigned int i = 0; i < d->acts.n; i++)
		consume_action(co, d, r, i);
	/* A record ends in the mode in which it began, even if it sets the option. */
	set_quiet = co->out->opts.quiet;
	co->out->opts.quiet = quiet;
	table_record_end(co->out);
	co->out->opts.quiet = set_quiet;
}

/* Prints the record that was kept back, followed by next (NULL: not known yet). */
void consume_held(struct consume *co, const struct abi_rec *next)
{
	struct abi_rec *held = co->held;

	if (!held)
		return;
	co->held = NULL;
	print_record(co, held, next);
	mem_free(held);
}

/* faulted() may consume more records, so the record is copied first. */
static void fault(struct consume *co, const void *data)
{
	struct abi_error e = *(const struct abi_error *)data;
	struct msg_error m = {.fault = e.fault, .addr = e.value, .action = e.action, .offset = -1};

	if (!co->faulted || co->faulted(co->faulted_ctx, &e))
		clause_error(co, co->plan->descs.a[e.desc], &e.rec, &m);
}

/* Returns true if the record is as large as its descriptor says and its numbers are valid. */
static bool is_sound(struct consume *co, const struct abi_rec *r, size_t len)
{
	unsigned int n = co->plan->descs.n;

	if (len < sizeof(*r) || r->cpu >= kern_ncpu_possible(co->plan->env.kern))
		return false;
	if (r->desc == ABI_DESC_ERROR)
		return len >= sizeof(struct abi_error) && ((const struct abi_error *)r)->desc < n;
	if (r->desc == ABI_DESC_PROC)
		return len >= sizeof(struct abi_proc);
	if (r->desc == ABI_DESC_SNAPSHOT)
		return true;
	if (r->desc < ABI_DESC_MIN)
		return len >= sizeof(struct abi_spec);
	return r->desc >= ABI_DESC_MIN && r->desc - ABI_DESC_MIN < (int)n &&
	       len >= co->plan->descs.a[r->desc - ABI_DESC_MIN]->size;
}

void consume_data(struct consume *co, const void *data, size_t len)
{
	const struct abi_rec *r = data;

	consume_held(co, r);
	if (co->out->opts.flowindent) {
		co->held = mem_alloc(len);
		memcpy(co->held, data, len);
	} else {
		print_record(co, r, NULL);
	}
}

/* Consumes a record now, under any buffer policy. */
static void consume(struct consume *co, const void *data, size_t len)
{
	const struct abi_rec *r = data;
	const struct rec_desc *d;

	switch (r->desc) {
	case ABI_DESC_ERROR:
		consume_held(co, NULL);
		fault(co, data);
		return;
	case ABI_DESC_COMMIT:
	case ABI_DESC_DISCARD:
		spec_end(co, ((const struct abi_spec *)data)->handle, r->desc == ABI_DESC_COMMIT);
		return;
	case ABI_DESC_PROC:
	case ABI_DESC_SNAPSHOT:
		/* Consumed as they come.  Only another machine that lies has them in its memory. */
		return;
	default:
		d = co->plan->descs.a[r->desc - ABI_DESC_MIN];
		if (d->is_sent)
			co->sent(co->sent_ctx, d, data, len);
		else if (d->spec_item)
			spec_add(co, (uint64_t)item_int(d, d->spec_item - 1, data), data, len);
		else
			consume_data(co, data, len);
	}
}

static bool is_damaged(struct consume *co, const void *data, size_t len)
{
	if (is_sound(co, data, len))
		return false;
	report_error(co->report, "ignored a damaged record of %zu bytes", len);
	return true;
}

void consume_record(void *ctx, const void *data, size_t len)
{
	struct consume *co = ctx;
	const struct abi_rec *r = data;
	const struct abi_proc *proc = data;

	if (is_damaged(co, data, len))
		return;
	co->nrecords += r->desc >= ABI_DESC_MIN;
	if (r->desc == ABI_DESC_PROC)
		syms_news(co, proc);
	else if (r->desc == ABI_DESC_SNAPSHOT)
		co->peers[0]->wants_snapshot = true;
	else if (co->plan->opt.policy == PLAN_FILL || co->keeps || co->is_rated)
		keep_record(co, data, len);
	else
		consume(co, data, len);
}

void consume_kept(struct consume *co, const void *data, size_t len)
{
	if (!is_damaged(co, data, len))
		consume(co, data, len);
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
	case ABI_DROP_RETURNS:
		return MSG_DROP_RETURNS;
	}
	return MSG_DROP_PRINCIPAL;
}

/* Returns the option that sets the memory whose lack causes the drop; OPT_MAX: there is none. */
static enum opt option_for(enum abi_drop k)
{
	switch (k) {
	case ABI_DROP_PRINCIPAL:
		return OPT_bufsize;
	case ABI_DROP_AGGREGATION:
		return OPT_aggsize;
	case ABI_DROP_DYNAMIC:
		return OPT_dynvarsize;
	case ABI_DROP_SPEC:
		return OPT_specsize;
	default:
		return OPT_MAX;
	}
}

/* Says once, for each kind of drop, how to have fewer. */
static void hint_memory(struct consume *co, enum abi_drop k)
{
	enum opt opt = option_for(k);
	uint64_t kb;

	if (opt == OPT_MAX || co->drops_hinted & 1U << k)
		return;
	co->drops_hinted |= 1U << k;
	kb = ((uint64_t)co->opts->num[opt] + 1023) / 1024;
	report_error(co->report, "option %s is %lluk; -x %s=%lluk has room for twice as much",
		     opts_name(opt), (unsigned long long)kb, opts_name(opt),
		     (unsigned long long)kb * 2);
}

static void report_drop(struct consume *co, enum abi_drop k, uint64_t n, uint64_t total, int cpu)
{
	struct msg_loss loss = {.kind = drop_kind(k), .n = n, .total = total};
	struct buf b = {0};

	if (!n)
		return;
	msg_drop(&b, drop_kind(k), n, cpu, co->opts->is_set[OPT_droptags]);
	loss.text = buf_str(&b);
	out_object(co->out, OUT_OBJECT_DROP, &loss);
	out_flush(co->out);
	if (has_listener(co, false))
		co->listener->drop(co->listener_ctx, &loss, cpu);
	else
		report_error(co->report, "%s", b.s);
	buf_free(&b);
	if (!has_listener(co, false))
		hint_memory(co, k);
}

static void report_missed(struct consume *co, const struct unit *u, uint64_t total)
{
	struct msg_loss loss = {.kind = MSG_DROP_PRINCIPAL, .n = total - u->misses, .total = total};
	struct buf b = {0};

	buf_printf(&b, "%llu nested firings missed at %s", (unsigned long long)loss.n, u->place);
	loss.text = buf_str(&b);
	out_object(co->out, OUT_OBJECT_DROP, &loss);
	if (has_listener(co, false))
		co->listener->drop(co->listener_ctx, &loss, -1);
	else
		report_error(co->report, "%s", loss.text);
	buf_free(&b);
}

/* Reports firings that the kernel skipped because the program was already running on that CPU. */
static void report_misses(struct consume *co)
{
	for (unsigned int i = 0; i < co->load->nunits; i++) {
		struct unit *u = co->load->units[i];
		uint64_t n = u->fd >= 0 ? co->load->backend->misses(co->load, u) : 0;

		if (n <= u->misses)
			continue;
		out_flush(co->out);
		report_missed(co, u, n);
		u->misses = n;
	}
}

/* Reports losses since the last call. */
void consume_drops(struct consume *co)
{
	unsigned int ncpu = kern_ncpu_possible(co->plan->env.kern);
	uint64_t *now = mem_alloc((size_t)ncpu * ABI_DROP_MAX * sizeof(*now));
	uint64_t global[ABI_DROP_MAX], total[ABI_DROP_MAX];
	uint32_t zero = 0;

	memset(global, 0, sizeof(global));
	memset(total, 0, sizeof(total));
	if (co->load->backend->lookup(co->load, MAP_DROPS, &zero, now)) {
		for (unsigned int c = 0; c < ncpu; c++) {
			for (int k = 0; k < ABI_DROP_MAX; k++) {
				uint64_t d =
				    now[c * ABI_DROP_MAX + k] - co->drops[c * ABI_DROP_MAX + k];

				total[k] += now[c * ABI_DROP_MAX + k];
				if (k == ABI_DROP_PRINCIPAL || k == ABI_DROP_AGGREGATION ||
				    k == ABI_DROP_NESTED)
					report_drop(co, k, d, now[c * ABI_DROP_MAX + k], (int)c);
				else
					global[k] += d;
			}
		}
		for (int k = 0; k < ABI_DROP_MAX; k++)
			report_drop(co, k, global[k], total[k], -1);
		memcpy(co->drops, now, (size_t)ncpu * ABI_DROP_MAX * sizeof(*now));
	}
	mem_free(now);
	report_misses(co);
}

void consume_lost(const struct consume *co, uint64_t *total)
{
	unsigned int n = co->drops ? kern_ncpu_possible(co->plan->env.kern) * ABI_DROP_MAX : 0;

	for (unsigned int i = 0; i < n; i++)
		total[drop_kind(i % ABI_DROP_MAX)] += co->drops[i];
}
