/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * far.h: processes of another machine: what it says of them, and copies of their files.
 */
#ifndef PROC_FAR_H
#define PROC_FAR_H

#include <stdbool.h>
#include <stdint.h>

struct buf;
struct far;
struct machine;

/* Of a machine, which has to stay; 0 copies. */
struct far *far_new(struct machine *m);
void far_free(struct far *f);

/* The text of /proc/PID/maps, and the path of the program (""); 0 or -errno. */
int far_read(struct far *f, uint32_t pid, struct buf *maps, struct buf *exe);

/*
 * A copy of a file, to be closed, whose offset is that of other copies; -errno.  One that is large,
 * or comes slowly, is not copied: -EFBIG, -ETIME.  id: what tells files apart; the last few are
 * kept.
 */
int far_copy(struct far *f, const char *id, const char *path);

/* The memory of a process, to be closed by far_close; a word of it, 0 and false if there is none.
 */
int far_memory(struct far *f, uint32_t pid);
bool far_word(struct far *f, int fd, uint64_t addr, uint64_t *word);
void far_close(struct far *f, int fd);

#endif
