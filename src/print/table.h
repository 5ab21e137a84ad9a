/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * table.h: the fixed layouts around data: headings, record headers, flow indentation, and the
 * listing of probes with their attributes.
 */
#ifndef PRINT_TABLE_H
#define PRINT_TABLE_H

#include <stdbool.h>
#include <stdint.h>

struct out;

/* The thread of a firing. */
struct table_thread {
	uint32_t pid, tid;
	char name[17];
};

/*
 * Columns before the data of a record.  clause sorts the clauses of a firing.  Members from
 * has_thread on are for documents and timelines.
 */
struct table_rec {
	int cpu;
	uint32_t id;	 /* probe */
	uint32_t clause; /* number of the clause in the program, growing */
	const char *prov, *func, *name;
	const char *mod; /* for documents only */
	bool is_gate;	 /* entry to or return from the whole kernel: => and <= in a flow */
	bool has_thread; /* time and thread are known */
	bool is_default; /* of a clause without actions: the record itself is the datum */
	uint64_t time;	 /* of the firing: CLOCK_MONOTONIC of this machine, ns */
	int64_t wall;	 /* ns from that clock to the time of day */
	struct table_thread thread;
	const char *machine; /* target of -E; NULL: the host, or no others are traced */
	uint32_t vmid;	     /* its number; the host is 0 */
};

/* Depth of one CPU's flow; zero it to start. */
struct table_flow {
	unsigned int indent;
	uint32_t id, clause; /* of the record before */
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
	const char *type; /* NULL: unknown */
	bool is_userland;
};

/* A probe of a listing. */
struct table_probe {
	uint32_t id;
	const char *prov, *mod, *func, *name;
	struct table_attr attr, args_attr;
	const struct table_arg *args;
	unsigned int nargs;
	const char *sites_title; /* NULL: no sites, because the probe is not a stable one */
	const char *const *sites;
	unsigned int nsites;
};

/* Prints the heading, by the options: default or flowindent.  Quiet mode without flowindent has
 * none. */
void table_heading(struct out *o);

/* Prints the header of a record in default mode; nothing in quiet mode. */
void table_record(struct out *o, const struct table_rec *r);

/* Prints the header of a record with flowindent, quiet or not.  next: the following record of the
 * same buffer, or NULL.  Only the last clause of a return probe counts as a return. */
void table_flow_record(struct out *o, struct table_flow *flow, const struct table_rec *r,
		       const struct table_rec *next);

/* Ends a record: a newline, except in quiet mode without flowindent. */
void table_record_end(struct out *o);

/* -l: heading and row; -lv: the lines that follow a row. */
void table_list_heading(struct out *o);
void table_list_row(struct out *o, const struct table_probe *p);
void table_list_attrs(struct out *o, const struct table_probe *p);

/* -v: attributes of a program.  With -e each of its clauses follows, else an empty line ends it. */
void table_stability(struct out *o, bool is_script, const char *text,
		     const struct table_attr *probe, const struct table_attr *stmt,
		     bool clauses_follow);

/* -v -e: one clause's probe; prov ... name are the description's fields. */
void table_clause(struct out *o, const struct table_probe *p);

#endif
