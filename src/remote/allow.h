/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * allow.h: decides which calls an agent makes for its peer, which is not trusted.
 *
 * Tracing needs few calls.  Every address in the arguments of a call must be the address of memory
 * that came with the call.  The memory must be as large as the kernel assumes.
 */
#ifndef REMOTE_ALLOW_H
#define REMOTE_ALLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "sys/machine.h"

/* A descriptor that a call opened. */
struct allow_fd {
	int fd;
	int cmd;	     /* command of bpf(2); -1: another call */
	uint32_t type;	     /* of a map */
	uint64_t key, value; /* bytes that bpf(2) copies for a key and a value of the map */
};

typedef VEC(struct allow_fd) allow_fds;

/* Returns the entry of a descriptor, or NULL if no call opened it. */
const struct allow_fd *allow_find(const allow_fds *fds, int64_t fd);

/* Returns true if the agent may make the call.  wire_get_call has checked that its memory
 * exists. */
bool allow_call(const allow_fds *fds, const struct sys_call *c);

/* Returns true if the peer may read the file that a call opened.  In the root folder of a process
 * it may read ELF files only. */
bool allow_opened(const struct sys_call *c, int fd);

/* Returns true if the peer may map the values of this map.  Only arrays are allowed. */
bool allow_area(const allow_fds *fds, int64_t fd);

/* Adds the descriptor that an allowed call opened, or removes the one that it closed. */
void allow_note(allow_fds *fds, const struct sys_call *c, int64_t result);

#endif
