/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * header.h: the C header of the providers that a program declares (-h).
 */
#ifndef COMPILE_HEADER_H
#define COMPILE_HEADER_H

#include <stdbool.h>
#include <stdio.h>

struct compile;

/* Returns true if compiled programs declare a provider. */
bool header_is_wanted(const struct compile *comp);

/*
 * Writes the header of all providers declared in compiled programs.  name is the header's file
 * name, from which its guard is made.  The caller checks f for write errors.
 */
void header_write(struct compile *comp, FILE *f, const char *name);

#endif
