/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * roles.h: whether a firing of a probe begins a slice, ends one, or is an instant.
 *
 * Entry and return of one function form a pair, if the program records both.  So do the probes
 * NAME-start and NAME-done, and NAME-begin and NAME-end, of a process.
 */
#ifndef TIMELINE_ROLES_H
#define TIMELINE_ROLES_H

#include <stdbool.h>

struct roles;
struct table_rec;

struct role {
	const char *category, *name;
	const void *pair; /* the same for both probes of a slice; NULL: an instant */
	bool is_begin, is_sample;
};

/*
 * Returns true if the program records the probe with this name and with the provider, the module
 * and (unless any_function) the function of r.
 */
typedef bool roles_recorded(void *ctx, const struct table_rec *r, const char *name,
			    bool any_function);

struct roles *roles_new(roles_recorded *is_recorded, void *ctx);
void roles_free(struct roles *roles);

/* Returns the role of the record's probe, which is the same until roles_free(). */
const struct role *roles_of(struct roles *roles, const struct table_rec *r);

#endif
