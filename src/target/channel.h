/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * channel.h: byte streams to a target, by their names:
 *
 *   unix:PATH         a socket, that of a port of a virtual machine, too
 *   guest:PATH        the same, if a trusted user listens there
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

/*
 * Returns whether we connect to virtual machines of this user without being told to: root, the
 * user of this process, and the users that libvirt runs QEMU as (libvirt-qemu on Debian, qemu on
 * Fedora).
 */
bool channel_is_trusted(uid_t uid);

/* Returns 0 or -errno; -EACCES: the process that listens belongs to a user who is not trusted. */
int channel_open(const char *name, struct channel *c);

/* channel_is_socket() returns true if the name is of a listener, which the next function opens. */
bool channel_is_socket(const char *name);
int channel_listen(const char *name);

#endif
