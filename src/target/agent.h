/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * agent.h: the other end: makes the calls that are asked for, and sends records.
 */
#ifndef TARGET_AGENT_H
#define TARGET_AGENT_H

struct report;

/*
 * Serve who connects, one at a time, on a channel: "-" is standard input and output, "port" the
 * port of a virtual machine that has our name, "unix:PATH" and "vsock[:PORT]" are listened to, any
 * other is the path of a device.  Returns when standard input has ended, or with a message; the
 * exit status.
 */
int agent_run(const struct report *report, const char *channel);

#define AGENT_PORT_NAME "org.dtrace.agent.0"
#define AGENT_VSOCK	3872 /* of "vsock" without a number */

#endif
