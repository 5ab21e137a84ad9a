/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * make.h: options -h and -G, which make a header and an object of a program.
 */
#ifndef CMD_MAKE_H
#define CMD_MAKE_H

#include <stdbool.h>

struct session;

/*
 * The functions return the exit status of the command.  OUTPUT is the file of -o; NULL: the name of
 * the script with another suffix, in the current directory.
 */

/* Checks that the session has programs, and a file to write.  LETTER: of the option. */
int make_check(struct session *s, char letter, const char *output);

int make_header(struct session *s, const char *output);

/* OBJECTS: the n object files to link with. */
int make_object(struct session *s, const char *output, char *const *objects, unsigned int n);

#endif
