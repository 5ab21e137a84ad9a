/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire.h: the protocol between dtrace and the agent in a target.
 *
 * Both sides send frames: a struct wire_head, then its bytes, padded to a multiple of 8, in the
 * byte order of x86 and arm64.  dtrace begins with WIRE_HELLO; the agent answers with WIRE_WELCOME
 * or WIRE_BUSY.  All later frames have the number of the hello, so leftovers of an earlier
 * connection in a channel are recognized.  docs/targets.md lists the frames; their structures are
 * below.
 */
#ifndef REMOTE_WIRE_H
#define REMOTE_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "sys/machine.h"

#define WIRE_MAGIC   0x61725444 /* "DTra" */
#define WIRE_VERSION 1

/* Largest frame.  The largest frame of a call has the code of a program, its types and the
 * verifier's log. */
#define WIRE_MAX (8U << 20)

/* Bytes of records that an agent may have sent before it must wait for WIRE_TAKEN. */
#define WIRE_WINDOW (4U << 20)

/* Time that a peer has to end a frame it has begun, and to answer. */
#define WIRE_TIMEOUT_MS 10000

enum wire_type {
	WIRE_HELLO = 1, /* struct wire_hello */
	WIRE_WELCOME,	/* struct wire_hello */
	WIRE_BUSY,	/* nothing: the agent serves another peer */
	WIRE_CALL,	/* struct wire_call, a struct wire_mem for each memory, the read bytes */
	WIRE_RESULT,	/* int64_t, the written bytes */
	WIRE_MAP,	/* struct wire_area; the result is a number for it */
	WIRE_UNMAP,	/* struct wire_area */
	WIRE_FETCH,	/* struct wire_area; bytes follow the result */
	WIRE_STORE,	/* struct wire_area, bytes */
	WIRE_RING,	/* struct wire_area, whose fd is a ring buffer */
	WIRE_RECORDS,	/* struct wire_records, records */
	WIRE_TAKEN,	/* uint64_t: bytes of records that have been taken */
	WIRE_PING,	/* struct wire_ping */
	WIRE_PONG,	/* struct wire_ping */
	WIRE_TYPE_MAX
};

struct wire_head {
	uint32_t magic;
	uint16_t type;
	uint16_t version;
	uint32_t session;
	uint32_t len;
};

struct wire_hello {
	uint16_t machine; /* of ELF files: EM_*; programs and structures depend on it */
	uint16_t pad[3];
};

struct wire_call {
	uint32_t op, nmems;
	int64_t args[SYS_ARGS];
};

/* As struct sys_mem; a field is `off` bytes after the start of memory number `in`. */
struct wire_mem {
	uint32_t len;
	uint8_t is_in, is_out;
	int8_t arg;
	uint8_t in;
	uint32_t off;
	uint32_t pad;
};

/* A part of the values of an array map. */
struct wire_area {
	int32_t fd;
	uint32_t id; /* of WIRE_MAP */
	uint64_t off, size;
};

/* Each record is its length, as 8 bytes, and its bytes, padded to a multiple of 8. */
struct wire_records {
	uint64_t
	    time; /* of the target; the records of older firings are in frames up to this one */
};

struct wire_ping {
	uint64_t sent;	   /* of the side that asks */
	uint64_t answered; /* of the side that answers */
};

struct wire {
	int in, out; /* do not block; may be the same descriptor */
	uint32_t session;
	struct buf got;	 /* frames, with `used` bytes handled */
	struct buf sent; /* bytes that could not be written yet */
	size_t used;
	bool is_met;  /* the other end has the same session */
	bool is_over; /* the other end is gone, or violates the protocol */
};

void wire_init(struct wire *w, int in, int out);
void wire_free(struct wire *w); /* closes the descriptors */

/* The first frame of a connection has arrived. */
void wire_meet(struct wire *w, uint32_t session);

/* Appends a frame to the bytes to send; bytes may be NULL. */
void wire_send(struct wire *w, enum wire_type type, const void *p, size_t len, const void *bytes,
	       size_t nbytes);

/* Write or read as much as possible without waiting.  Return false if the connection is over. */
bool wire_flush(struct wire *w);
bool wire_fill(struct wire *w);

/*
 * Returns the next complete frame, valid until the next call; or NULL.  Frames of other sessions
 * are skipped, except a hello.  Before wire_meet(), so is everything except the first frame of a
 * connection, with our session number if we have one.
 */
const struct wire_head *wire_next(struct wire *w);

/* Returns true if the other end leaves too many bytes unread.  Until it reads them, wire_fill reads
 * nothing from it. */
bool wire_is_full(const struct wire *w);

/* Sleeps until something can be done, at most ms. */
void wire_wait(struct wire *w, int other_fd, int ms);

/* Convert a call to the bytes of a frame, and back.  Memory is allocated in *room and laid out for
 * struct sys_call.  Returns false if the bytes are invalid. */
void wire_put_call(struct buf *b, const struct sys_call *c);
bool wire_get_call(const void *p, size_t len, struct sys_call *c, void **room);

/* Append the memory that a call has written, and read it from a result; false: wrong size. */
void wire_put_results(struct buf *b, const struct sys_call *c, int64_t result);
bool wire_get_results(const void *p, size_t len, const struct sys_call *c, int64_t result);

#endif
