/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perf.h: a program that a perf event runs, on every CPU or on one.
 */
#ifndef PROV_PERF_H
#define PROV_PERF_H

#include <linux/perf_event.h>

#include "lower/leaf.h"

/* For the table of a provider: programs of perf events, which have no typed arguments. */
void perf_args(struct plan *plan, struct probe *p, struct lang_args *a);
bool perf_program(struct plan *plan, struct unit *u, const char **err);
struct val perf_arg(struct lw *lw, unsigned int n, struct type *type);

/* Returns arg0, the kernel pc or 0, or arg1, the user pc or 0. */
struct ir_ins *perf_rawarg(struct lw *lw, unsigned int n);

/*
 * Attaches the unit's program to the event on each traced CPU (one_cpu: the first of them).
 * Returns 0, or -errno and *err.
 */
int perf_attach(struct plan *plan, struct unit *u, const struct perf_event_attr *attr, bool one_cpu,
		const char **err);

#endif
