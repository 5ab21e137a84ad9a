/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire.h: what goes over the connection between dtrace and the agent in a target.
 *
 * Both sides send frames: a struct wire_head and so many bytes, filled up to a multiple of 8, in
 * the byte order of x86 and arm64. dtrace begins with WIRE_HELLO, the agent answers with
 * WIRE_WELCOME or WIRE_BUSY.  From then on every frame carries the number that the hello had: what
 * is left in a channel of an earlier connection is told apart by it.  docs/targets.md lists the
 * frames; their structures are below.
 */
#ifndef TARGET_WIRE_H
#define TARGET_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "sys/machine.h"

#define WIRE_MAGIC   0x61725444 /* "DTra" */
#define WIRE_VERSION 1

/* A frame has so many bytes at most: the largest a call needs is the code of a program, its types
 * and the verifier's log of it. */
#define WIRE_MAX (8U << 20)

/* Bytes of records that an agent may have sent before it is told that they were taken. */
#define WIRE_WINDOW (4U << 20)

/* A peer that has begun a frame has so long to end it, and to answer. */
#define WIRE_TIMEOUT_MS 10000

enum wire_type {
	WIRE_HELLO = 1, /* struct wire_hello */
	WIRE_WELCOME,	/* struct wire_hello */
	WIRE_BUSY,	/* nothing: the agent serves somebody else */
	WIRE_CALL,    /* struct wire_call, a struct wire_mem for each memory, what the call reads */
	WIRE_RESULT,  /* int64_t, what the call has written */
	WIRE_MAP,     /* struct wire_area; the result is a number for it */
	WIRE_UNMAP,   /* struct wire_area */
	WIRE_FETCH,   /* struct wire_area; bytes follow the result */
	WIRE_STORE,   /* struct wire_area, bytes */
	WIRE_RING,    /* struct wire_area, whose fd is a ring buffer */
	WIRE_RECORDS, /* struct wire_records, records */
	WIRE_TAKEN,   /* uint64_t: bytes of records that have been taken */
	WIRE_PING,    /* struct wire_ping */
	WIRE_PONG,    /* struct wire_ping */
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
	uint16_t machine; /* of ELF files: EM_*; programs and structures are those of one */
	uint16_t pad[3];
};

struct wire_call {
	uint32_t op, nmems;
	int64_t args[SYS_ARGS];
};

/* As struct sys_mem; a field is `off` bytes behind the start of memory number `in`. */
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

/* Each record is its length, as 8 bytes, and its bytes, filled up to a multiple of 8. */
struct wire_records {
	uint64_t
	    time; /* of the target; firings before it have their records in frames until here */
};

struct wire_ping {
	uint64_t sent;	   /* of the one who asks */
	uint64_t answered; /* of the one who answers */
};

struct wire {
	int in, out; /* descriptors that do not block; may be one */
	uint32_t session;
	struct buf got;	 /* frames, of which `used` bytes are done with */
	struct buf sent; /* what could not be written yet */
	size_t used;
	bool is_met;  /* the session is that of the other end, too */
	bool is_over; /* the other end is gone, or does not speak like this */
};

void wire_init(struct wire *w, int in, int out);
void wire_free(struct wire *w); /* closes the descriptors */

/* The first frame of a connection has been seen. */
void wire_meet(struct wire *w, uint32_t session);

/* Add a frame to what is to be sent; bytes may be NULL. */
void wire_send(struct wire *w, enum wire_type type, const void *p, size_t len, const void *bytes,
	       size_t nbytes);

/* Write what can be written, read what is there; false: it is over. */
bool wire_flush(struct wire *w);
bool wire_fill(struct wire *w);

/*
 * The next frame that is here as a whole, whose bytes stay until the next call; NULL: none.  Frames
 * of other sessions are left out, but for a hello; before the two have met, so is everything but
 * the first frame of a connection, with our session if we have one.
 */
const struct wire_head *wire_next(struct wire *w);

/*
 * Returns whether the other end leaves too many bytes unread.  Until it reads them, wire_fill reads
 * nothing from it.
 */
bool wire_is_full(const struct wire *w);

/* Sleep until something can be done, or ms are over. */
void wire_wait(struct wire *w, int other_fd, int ms);

/*
 * A call as a frame's bytes, and back: memory is allocated in *room, as struct sys_call wants it.
 * False: what the bytes say cannot be.
 */
void wire_put_call(struct buf *b, const struct sys_call *c);
bool wire_get_call(const void *p, size_t len, struct sys_call *c, void **room);

/* Append the memory that a call has written, and take it out of a result; false: wrong size. */
void wire_put_results(struct buf *b, const struct sys_call *c, int64_t result);
bool wire_get_results(const void *p, size_t len, const struct sys_call *c, int64_t result);

#endif
