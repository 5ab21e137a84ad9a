/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * channel.h: byte streams to a target, by name:
 *
 *   unix:PATH         a socket, such as the port of a virtual machine
 *   guest:PATH        the same, if a trusted user listens there
 *   vsock:CID[:PORT]  a virtual machine by its number; for listeners vsock[:PORT]
 *   exec:COMMAND      the standard input and output of a command
 *   /PATH             a device, or a socket
 */
#ifndef REMOTE_CHANNEL_H
#define REMOTE_CHANNEL_H

#include <stdbool.h>
#include <sys/types.h>

struct channel {
	int in, out; /* do not block; may be the same descriptor */
	pid_t pid;   /* of the command; 0: no command */
};

/*
 * Returns true if we connect to virtual machines of this user without a request: root, the user of
 * this process, and the users that libvirt runs QEMU as (libvirt-qemu on Debian, qemu on Fedora).
 */
bool channel_is_trusted(uid_t uid);

/* Returns 0 or -errno.  -EACCES: the listening process belongs to an untrusted user. */
int channel_open(const char *name, struct channel *c);

/* channel_is_socket() returns true if the channel is a listening socket.  channel_listen() opens
 * it. */
bool channel_is_socket(const char *name);
int channel_listen(const char *name);

#endif
