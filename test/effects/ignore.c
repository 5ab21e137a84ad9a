/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ignore.c: replaces session_setopt() (ld's --wrap): the option named by IGNORED_OPTION is accepted
 * or refused as always, but has no effect.  See tools/effects.sh.
 */
#include <stdlib.h>
#include <string.h>

#include "session/session.h"

const char *__real_session_setopt(struct session *s, const char *name, const char *value);
const char *__wrap_session_setopt(struct session *s, const char *name, const char *value);

const char *__wrap_session_setopt(struct session *s, const char *name, const char *value)
{
	const char *ignored = getenv("IGNORED_OPTION");
	struct opts copy = s->opts;

	if (ignored && strcmp(name, ignored) == 0)
		return opts_set(&copy, name, value);
	return __real_session_setopt(s, name, value);
}
