/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * far.h: processes of another machine: what it says of them, and copies of their files.
 */
#ifndef PROC_FAR_H
#define PROC_FAR_H

#include <stdint.h>

struct buf;
struct machine;

/* The text of /proc/PID/maps, and the path of the program (""); 0 or -errno. */
int far_read(struct machine *m, uint32_t pid, struct buf *maps, struct buf *exe);

/*
 * A copy of a file of the machine, to be closed; -errno.  One that is large, or comes slowly, is
 * not copied: -EFBIG, -ETIME.
 */
int far_copy(struct machine *m, const char *path);

#endif
