/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * usage.h: the summary of the options.
 */
#ifndef CMD_USAGE_H
#define CMD_USAGE_H

#include <stdio.h>

/* prog: the name that the command was called by. */
void usage_print(FILE *f, const char *prog);

#endif
