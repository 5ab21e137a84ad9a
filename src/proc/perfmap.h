/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perfmap.h: names of functions that a process has made itself, as it tells them in
 * /tmp/perf-PID.map: what compilers of languages write for perf(1), a line for each function: its
 * address and size in hexadecimal digits, and its name.
 */
#ifndef PROC_PERFMAP_H
#define PROC_PERFMAP_H

#include <stdbool.h>
#include <stdint.h>

struct perfmap;

/*
 * Of a process that is there; good when it is gone, too.  Only an ordinary file that belongs to the
 * process's user, or to root, counts, and no link to one.  thread: see proc_thread.  NULL: there is
 * none.
 */
struct perfmap *perfmap_open(uint32_t pid, uint32_t thread);
void perfmap_free(struct perfmap *pm); /* NULL is allowed */

/* The function that has the address, of several the last one, and where it begins; NULL: none. */
const char *perfmap_find(struct perfmap *pm, uint64_t addr, uint64_t *start);

/* Returns whether the file exceeds the limits: 64 MB, a million functions. */
bool perfmap_is_cut(const struct perfmap *pm);

/* Reads the open file fd, and closes it at the end. */
struct perfmap *perfmap_new(int fd);

#endif
