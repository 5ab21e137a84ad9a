/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * shebang.h: options in the first line of a script, `#!/usr/sbin/dtrace -x dynvarsize=64m -s`.
 */
#ifndef CMD_SHEBANG_H
#define CMD_SHEBANG_H

/*
 * Splits the options of a script's first line.  The kernel passes them as one argument, argv[1],
 * and the script's path as argv[2] (execve(2)).  If argv[1] is not the text of that line, nothing
 * changes.  Otherwise *argv becomes a new vector, valid until the process ends.
 */
void shebang_split(int *argc, char ***argv);

#endif
