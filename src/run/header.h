/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * header.h: the C header of the providers that a program declares (-h).
 */
#ifndef RUN_HEADER_H
#define RUN_HEADER_H

#include <stdio.h>

struct session;

/*
 * Write the header of all providers declared in the session's compiled programs.  name is the
 * header's file name, from which its guard is made.  The caller sees write errors in f.
 */
void header_write(struct session *s, FILE *f, const char *name);

#endif
