/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perfmap.h: names of functions that a process has generated, from /tmp/perf-PID.map.  Compilers of
 * languages write this file for perf(1): a line for each function, with address and size in
 * hexadecimal digits, and its name.  Others write a dump with records, jit-PID.dump, and map its
 * first page, so that tracers find it.
 */
#ifndef PROC_PERFMAP_H
#define PROC_PERFMAP_H

#include <stdbool.h>
#include <stdint.h>

struct perfmap;

/*
 * Opens the map of an existing process; it stays valid after the process is gone.  The file must be
 * ordinary, belong to the process's user or to root, and be no link.  For THREAD see proc_thread.
 * Returns NULL if there is none.
 */
struct perfmap *perfmap_open(uint32_t pid, uint32_t thread);
void perfmap_free(struct perfmap *pm); /* NULL is allowed */

/* Returns the last function that contains the address, and its start; NULL: none. */
const char *perfmap_find(struct perfmap *pm, uint64_t addr, uint64_t *start);

/* Returns true if the file exceeds the limits: 64 MB (a dump: 4 GB), a million functions. */
bool perfmap_is_cut(const struct perfmap *pm);

/* Reads the open file fd.  perfmap_free closes it. */
struct perfmap *perfmap_new(int fd);

/* Does the same with a dump. */
struct perfmap *perfmap_new_dump(int fd);

/* Returns true for the path of a dump. */
bool perfmap_is_dump(const char *path);

#endif
