/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_fmt.h: arguments against printf formats.
 */
#ifndef LANG_CHECK_FMT_H
#define LANG_CHECK_FMT_H

#include "lang/priv.h"

/* The format and arguments of printf, system, freopen; fills in e->fmt. */
bool check_fmt(struct check *ck, struct expr *e, bool may_be_empty);

/* The format of printa against the keys of an aggregation. */
bool check_fmt_agg(struct check *ck, struct expr *e, const struct ident *agg);

#endif
