/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * msg.c: texts of messages, drops and run-time errors, from the rows of msg.def.
 *
 * The tables are indexed by their enums; only fault codes are sparse and are searched.  A row of an
 * event has one %s for each argument and no other conversion.
 */
#include <assert.h>
#include <signal.h>
#include <string.h>

#include "base/buf.h"
#include "print/msg.h"

static const struct {
	const char *tag;
	bool has_cpu;
	const char *singular, *plural;
} drops[] = {
#define MSG_DROP(kind, has_cpu, singular, plural) {"DTRACEDROP_" #kind, has_cpu, singular, plural},
#include "print/msg.def"
};

static const struct fault {
	const char *name;
	unsigned int code;
	bool has_addr;
	const char *text;
} faults[] = {
#define MSG_FAULT(kind, code, has_addr, text) {"DTRACEFLT_" #kind, code, has_addr, text},
#include "print/msg.def"
};

static const char *const reasons[] = {
#define MSG_REASON(kind, text) text,
#include "print/msg.def"
};

static const char *const events[] = {
#define MSG_EVENT(kind, text) text,
#include "print/msg.def"
};

static const char *or_empty(const char *s)
{
	return s ? s : "";
}

void msg_event(struct buf *b, enum msg_event ev, const char *arg1, const char *arg2)
{
	assert(ev < MSG_EVENT_MAX);
	buf_printf(b, events[ev], or_empty(arg1), or_empty(arg2));
}

const char *msg_reason(enum msg_reason r)
{
	assert(r < MSG_REASON_MAX);
	return reasons[r];
}

const char *msg_drop_tag(enum msg_drop kind)
{
	assert(kind < MSG_DROP_MAX);
	return drops[kind].tag;
}

void msg_drop(struct buf *b, enum msg_drop kind, uint64_t n, int cpu, bool tagged)
{
	assert(kind < MSG_DROP_MAX);
	if (tagged)
		buf_printf(b, "[%s] ", drops[kind].tag);
	buf_printf(b, "%llu %s", (unsigned long long)n,
		   n == 1 ? drops[kind].singular : drops[kind].plural);
	if (drops[kind].has_cpu)
		buf_printf(b, " on CPU %d", cpu);
}

static const struct fault *find_fault(unsigned int code)
{
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		if (faults[i].code == code)
			return &faults[i];
	return &faults[0];
}

const char *msg_fault_text(unsigned int code)
{
	return find_fault(code)->text;
}

const char *msg_fault_name(unsigned int code)
{
	return find_fault(code)->name;
}

/* Appends the fault of a clause, for faults that name the clause. */
static void clause_fault(struct buf *b, const struct msg_error *e, const struct fault *f)
{
	buf_puts(b, f->text);
	if (f->code == MSG_FAULT_BADINDEX)
		buf_printf(b, " (%llu)", (unsigned long long)e->addr);
	else if (f->has_addr && e->addr != UINT64_MAX)
		buf_printf(b, " (0x%llx)", (unsigned long long)e->addr);
	if (e->offset != -1)
		buf_printf(b, " at BPF pc %lld", (long long)e->offset);
}

void msg_error(struct buf *b, const struct msg_error *e)
{
	const struct fault *f = find_fault(e->fault);
	bool by_clause = dialect_has(e->dialect, DIALECT_ERROR_CLAUSE);

	if (by_clause)
		buf_printf(b, "error in dt_clause_%u for probe ID %u (", e->clause, e->id);
	else
		buf_printf(b, "error on enabled probe ID %u (ID %u: ", e->epid, e->id);
	buf_printf(b, "%s:%s:%s:%s): ", or_empty(e->prov), or_empty(e->mod), or_empty(e->func),
		   or_empty(e->name));
	if (e->text) {
		buf_puts(b, e->text);
		return;
	}
	if (by_clause) {
		clause_fault(b, e, f);
		return;
	}
	buf_puts(b, f->text);
	if (f->has_addr)
		buf_printf(b, " (0x%llx)", (unsigned long long)e->addr);
	if (e->action == 0)
		buf_puts(b, " in predicate");
	else
		buf_printf(b, " in action #%u", e->action);
	if (e->offset != -1)
		buf_printf(b, " at DIF offset %lld", (long long)e->offset);
}

void msg_matched(struct buf *b, bool is_script, const char *text, unsigned int nprobes)
{
	size_t n = is_script ? strlen(text) : strcspn(text, "{/;");

	buf_puts(b, is_script ? "script '" : "description '");
	buf_add(b, text, n);
	buf_printf(b, "' matched %u probe%s", nprobes, nprobes == 1 ? "" : "s");
}

static void exited(struct buf *b, int pid, int status)
{
	if (status == 0)
		buf_printf(b, "pid %d has exited", pid);
	else
		buf_printf(b, "pid %d exited with status %d", pid, status);
}

static void killed(struct buf *b, int pid, int sig)
{
	const char *name = sigabbrev_np(sig);

	buf_printf(b, "pid %d terminated by ", pid);
	if (name)
		buf_printf(b, "SIG%s", name);
	else if (sig >= SIGRTMIN && sig <= SIGRTMAX)
		buf_printf(b, "SIGRTMIN+%d", sig - SIGRTMIN);
	else
		buf_printf(b, "signal %d", sig);
}

void msg_end(struct buf *b, const struct msg_end *m)
{
	if (m->is_killed)
		killed(b, m->pid, m->status);
	else
		exited(b, m->pid, m->has_status ? m->status : 0);
}

void msg_exec(struct buf *b, int pid)
{
	buf_printf(b, "pid %d exec'd a set-id or unobservable program", pid);
}

void msg_size(struct buf *b, const char *what, uint64_t bytes)
{
	static const char units[] = "kmgt";
	unsigned int unit = 0;

	assert(what);
	while (bytes && bytes % 1024 == 0 && unit < sizeof(units) - 1) {
		bytes /= 1024;
		unit++;
	}
	buf_printf(b, "%s size lowered to %llu", what, (unsigned long long)bytes);
	if (unit)
		buf_putc(b, units[unit - 1]);
	else
		buf_puts(b, " bytes");
}

void msg_rate(struct buf *b, const char *what, uint64_t wanted, uint64_t got)
{
	const uint64_t second = 1000000000;

	assert(got > 0);
	uint64_t hz = second / got;
	buf_printf(b, "%s rate %s to ", what, got > wanted ? "reduced" : "increased");
	if (hz && second / hz == got)
		buf_printf(b, "%llu hz", (unsigned long long)hz);
	else if (got % second == 0)
		buf_printf(b, "once every %llu seconds", (unsigned long long)(got / second));
	else
		buf_printf(b, "once every %llu nanoseconds", (unsigned long long)got);
}
