/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * notes.h: static probes of programs and libraries, as the notes of their ELF files tell of them:
 * section .note.stapsdt, owner "stapsdt", type 3 (systemtap's "UserSpaceProbeImplementation").
 */
#ifndef PROC_NOTES_H
#define PROC_NOTES_H

#include "arch/operand.h"
#include "base/vec.h"

struct arena;

#define NOTE_ARGS 12 /* sys/sdt.h has no macro for more */

struct note_arg {
	uint8_t size; /* 1, 2, 4, 8; 0: of another size, which nobody knows how to read */
	bool is_signed;
	/* OPERAND_NEAR: disp is from the place of the probe; OPERAND_OTHER: not understood. */
	struct operand op;
};

/* A place where a probe is. */
struct note {
	const char *prov, *name; /* as written: query__start */
	uint64_t addr;		 /* in the file */
	uint64_t semaphore;	 /* counts who wants the probe: 16 bits there; 0: none */
	unsigned int nargs;
	struct note_arg args[NOTE_ARGS];
};

struct notes {
	VEC(struct note) list; /* in order */
	uint64_t cost;	       /* bytes of memory */
	bool is_cut;	       /* the file exceeds a limit: notes are missing */
};

/* Those of a file, whatever it is: texts go to the arena. */
void notes_read(struct notes *ns, struct arena *a, int fd);
void notes_free(struct notes *ns);

#endif
