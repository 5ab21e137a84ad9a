/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * table.h: the fixed layouts around data: headings and record headers, flow indentation, the
 * listing of probes with their attributes.
 */
#ifndef OUT_TABLE_H
#define OUT_TABLE_H

#include <stdbool.h>
#include <stdint.h>

struct out;

/* Columns before the data of a record.  clause orders the clauses of a firing. */
struct table_rec {
	int cpu;
	uint32_t id;	 /* probe */
	uint32_t clause; /* number of the clause in the program, growing */
	const char *prov, *func, *name;
	const char *mod; /* only documents have it */
	bool is_gate;	 /* entry and return are of the kernel as a whole: => and <= in a flow */
};

/* Depth of one CPU's flow; zero it to start. */
struct table_flow {
	unsigned int indent;
	uint32_t id, clause; /* the record before */
};

/* Place of a record in the flow: its depth, and the mark before its name. */
struct table_step {
	bool is_entry, is_return;
	unsigned int indent;
	const char *prefix;
};

struct table_step table_flow_step(struct table_flow *flow, const struct table_rec *r,
				  const struct table_rec *next);

/* Stability of one thing, by name. */
struct table_attr {
	const char *names, *data, *cls;
};

/* An argument of a probe. */
struct table_arg {
	const char *type; /* NULL: cannot be resolved */
	bool is_userland;
};

/* A probe of a listing. */
struct table_probe {
	uint32_t id;
	const char *prov, *mod, *func, *name;
	struct table_attr attr, args_attr;
	const struct table_arg *args;
	unsigned int nargs;
	const char *sites_title; /* NULL: it has no sites, as it is no stable probe */
	const char *const *sites;
	unsigned int nsites;
};

/* The heading, by the options: default, or flowindent; nothing in quiet mode without flowindent. */
void table_heading(struct out *o);

/* A record's header in default mode; nothing in quiet mode. */
void table_record(struct out *o, const struct table_rec *r);

/*
 * A record's header with flowindent, quiet or not.  next: the record that follows in the same
 * buffer, NULL if there is none; of a return probe only the last clause counts as return.
 */
void table_flow_record(struct out *o, struct table_flow *flow, const struct table_rec *r,
		       const struct table_rec *next);

/* Ends a record: a newline, except in quiet mode without flowindent. */
void table_record_end(struct out *o);

/* -l: heading and row; -lv: what follows a row. */
void table_list_heading(struct out *o);
void table_list_row(struct out *o, const struct table_probe *p);
void table_list_attrs(struct out *o, const struct table_probe *p);

/* -v: attributes of a program; with -e each of its clauses follows, else an empty line ends it. */
void table_stability(struct out *o, bool is_script, const char *text,
		     const struct table_attr *probe, const struct table_attr *stmt,
		     bool clauses_follow);

/* -v -e: one clause's probe; prov ... name are the description's fields. */
void table_clause(struct out *o, const struct table_probe *p);

#endif
