/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * table.c: headings and record headers, flow indentation, listings.
 *
 * Flow: an entry record is printed at the current depth, which then grows by two; a return record
 * reduces the depth first.  Several clauses of one firing leave records in program order.  These
 * are one entry (the first) or one return (the last).  A record belongs to the same firing as the
 * record before it if the probe is the same and the clause comes later in the program.
 */
#include <assert.h>
#include <string.h>

#include "print/out.h"
#include "print/table.h"

static void full_name(struct buf *b, const struct table_rec *r)
{
	buf_puts(b, r->func);
	buf_putc(b, ':');
	buf_puts(b, r->name);
}

void table_heading(struct out *o)
{
	if (o->opts.quiet && !o->opts.flowindent)
		return;
	if (!o->opts.no_columns)
		out_puts(o, o->opts.flowindent ? "CPU " : "CPU     ID ");
	if (o->opts.flowindent)
		out_printf(o, "%-41s\n", "FUNCTION");
	else
		out_printf(o, "%32s\n", "FUNCTION:NAME");
}

void table_record(struct out *o, const struct table_rec *r)
{
	if (out_object(o, OUT_OBJECT_RECORD, r) || o->opts.quiet)
		return;
	struct buf *b = out_scratch(o);
	full_name(b, r);
	if (!o->opts.no_columns)
		out_printf(o, "%3d %6u ", r->cpu, r->id);
	out_printf(o, "%32s ", buf_str(b));
}

void table_record_end(struct out *o)
{
	if (!out_object(o, OUT_OBJECT_RECORD_END, NULL) && (!o->opts.quiet || o->opts.flowindent))
		out_putc(o, '\n');
}

static bool is_or_ends_in(const char *name, const char *word)
{
	size_t n = strlen(name), w = strlen(word);

	if (n < w || strcmp(name + n - w, word) != 0)
		return false;
	return n == w || name[n - w - 1] == '-';
}

/* Returns true if the record is from a later clause of the same firing as the record before. */
static bool same_firing(uint32_t id_before, uint32_t clause_before, uint32_t id, uint32_t clause)
{
	return id == id_before && clause > clause_before;
}

struct table_step table_flow_step(struct table_flow *flow, const struct table_rec *r,
				  const struct table_rec *next)
{
	bool first = !same_firing(flow->id, flow->clause, r->id, r->clause);
	bool last = !next || !same_firing(r->id, r->clause, next->id, next->clause);
	struct table_step step = {.is_entry = is_or_ends_in(r->name, "entry") && first,
				  .is_return = is_or_ends_in(r->name, "return") && last};

	if (step.is_return)
		flow->indent -= flow->indent < 2 ? flow->indent : 2;
	step.indent = flow->indent;
	step.prefix = step.is_entry    ? r->is_gate ? "=> " : "-> "
		      : step.is_return ? r->is_gate ? "<= " : "<- "
				       : "| ";
	if (step.is_entry)
		flow->indent += 2;
	flow->id = r->id;
	flow->clause = r->clause;
	return step;
}

void table_flow_record(struct out *o, struct table_flow *flow, const struct table_rec *r,
		       const struct table_rec *next)
{
	struct table_step step = table_flow_step(flow, r, next);
	bool is_edge = step.is_entry || step.is_return;
	struct buf *b;

	if (out_object(o, OUT_OBJECT_RECORD, r))
		return;
	b = out_scratch(o);
	buf_pad(b, ' ', step.indent + is_edge);
	buf_puts(b, step.prefix);
	if (is_edge)
		buf_puts(b, r->func);
	else
		full_name(b, r);
	if (!o->opts.no_columns)
		out_printf(o, "%3d ", r->cpu);
	out_printf(o, "%-41s ", buf_str(b));
}

void table_list_heading(struct out *o)
{
	out_printf(o, "%5s %10s %17s %33s %s\n", "ID", "PROVIDER", "MODULE", "FUNCTION", "NAME");
}

void table_list_row(struct out *o, const struct table_probe *p)
{
	out_printf(o, "%5u %10s %17s %33s %s\n", p->id, p->prov, p->mod, p->func, p->name);
}

static void attributes(struct out *o, const char *title, const struct table_attr *a)
{
	assert(a->names && a->data && a->cls);
	out_printf(o, "\n\t%s Attributes\n", title);
	out_printf(o, "\t\tIdentifier Names: %s\n", a->names);
	out_printf(o, "\t\tData Semantics:   %s\n", a->data);
	out_printf(o, "\t\tDependency Class: %s\n", a->cls);
}

void table_list_attrs(struct out *o, const struct table_probe *p)
{
	attributes(o, "Probe Description", &p->attr);
	attributes(o, "Argument", &p->args_attr);
	out_puts(o, "\n\tArgument Types\n");
	for (unsigned int i = 0; i < p->nargs; i++)
		out_printf(o, "\t\targs[%u]: %s%s\n", i, p->args[i].is_userland ? "userland " : "",
			   p->args[i].type ? p->args[i].type : "(unknown)");
	if (p->nargs == 0)
		out_puts(o, "\t\tNone\n");
	if (p->sites_title)
		out_printf(o, "\n\t%s\n", p->sites_title);
	for (unsigned int i = 0; i < p->nsites; i++)
		out_printf(o, "\t\t%s\n", p->sites[i]);
	if (p->sites_title && p->nsites == 0)
		out_puts(o, "\t\tNone\n");
	out_putc(o, '\n');
}

void table_stability(struct out *o, bool is_script, const char *text,
		     const struct table_attr *probe, const struct table_attr *stmt,
		     bool clauses_follow)
{
	out_printf(o, "\nStability attributes for %s %s:\n", is_script ? "script" : "description",
		   text);
	attributes(o, "Minimum Probe Description", probe);
	attributes(o, "Minimum Statement", stmt);
	if (!clauses_follow)
		out_putc(o, '\n');
}

void table_clause(struct out *o, const struct table_probe *p)
{
	out_printf(o, "\n%s:%s:%s:%s\n", p->prov, p->mod, p->func, p->name);
	table_list_attrs(o, p);
}
