/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * channel.h: byte streams to a target, by their names:
 *
 *   unix:PATH         a socket, that of a port of a virtual machine, too
 *   vsock:CID[:PORT]  a virtual machine by its number; of who listens vsock[:PORT]
 *   exec:COMMAND      the standard input and output of a command
 *   /PATH             a device, or a socket
 */
#ifndef TARGET_CHANNEL_H
#define TARGET_CHANNEL_H

#include <stdbool.h>
#include <sys/types.h>

struct channel {
	int in, out; /* descriptors that do not block; may be one */
	pid_t pid;   /* of the command, 0: there is none */
};

/* 0 or -errno. */
int channel_open(const char *name, struct channel *c);

/* What a listener has such a name, and a descriptor of it or -errno. */
bool channel_is_socket(const char *name);
int channel_listen(const char *name);

#endif
