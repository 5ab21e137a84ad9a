/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * far.h: processes of another machine: their data, and copies of their files.
 */
#ifndef PROC_FAR_H
#define PROC_FAR_H

#include <stdbool.h>
#include <stdint.h>

struct buf;
struct far;
struct machine;

/* Starts without copies.  The machine must stay. */
struct far *far_new(struct machine *m);
void far_free(struct far *f);

/* Reads /proc/PID/maps, and the path of the program ("").  Returns 0 or -errno. */
int far_read(struct far *f, uint32_t pid, struct buf *maps, struct buf *exe);

/*
 * Returns a copy of a file, to be closed, that shares its offset with other copies; or -errno.
 * Large or slow files are not copied: -EFBIG, -ETIME.  ID identifies files.  The last few copies
 * are kept.
 */
int far_copy(struct far *f, const char *id, const char *path);

/*
 * Open the memory of a process, for far_close, and read a word of it.  far_word sets it to 0 and
 * returns false on failure.
 */
int far_memory(struct far *f, uint32_t pid);
bool far_word(struct far *f, int fd, uint64_t addr, uint64_t *word);
void far_close(struct far *f, int fd);

#endif
