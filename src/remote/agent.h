/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * agent.h: the agent on a target: makes calls for dtrace, and sends records.
 */
#ifndef REMOTE_AGENT_H
#define REMOTE_AGENT_H

struct report;

/*
 * Serves connections on a channel, one at a time.  "-" is standard input and output, "port" the
 * port of a virtual machine that has our name.  The agent listens on "unix:PATH" and
 * "vsock[:PORT]"; any other channel is the path of a device.  Returns the exit status when standard
 * input ends, or after an error that it reports.
 */
int agent_run(const struct report *report, const char *channel);

#define AGENT_PORT_NAME "org.dtrace.agent.0"
#define AGENT_VSOCK	3872 /* "vsock" without a number */

#endif
