/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * notes.h: static probes of programs and libraries, from notes in their ELF files: section
 * .note.stapsdt, owner "stapsdt", type 3 (systemtap's "UserSpaceProbeImplementation").
 */
#ifndef PROC_NOTES_H
#define PROC_NOTES_H

#include "arch/operand.h"
#include "base/vec.h"

struct arena;
struct map;

#define NOTE_ARGS 12 /* limit of the macros in sys/sdt.h */

struct note_arg {
	uint8_t size; /* 1, 2, 4, 8; 0: another size, which cannot be read */
	bool is_signed;
	/* OPERAND_NEAR: disp is from the place of the probe.  OPERAND_OTHER: not supported. */
	struct operand op;
};

/* A place of a probe. */
struct note {
	const char *prov, *name; /* as written: query__start */
	uint64_t addr;		 /* in the file */
	uint64_t semaphore;	 /* address of a counter of tracers, 16 bits; 0: none */
	unsigned int nargs;
	struct note_arg args[NOTE_ARGS];
};

struct notes {
	VEC(struct note) list;	/* in order */
	struct map *semaphores; /* addresses of semaphores by address of the probe; NULL: none */
	uint64_t cost;		/* bytes of memory */
	bool is_cut;		/* the file exceeds a limit: notes are missing */
};

/* Reads the notes of any file.  The arena owns the texts. */
void notes_read(struct notes *ns, struct arena *a, int fd);
void notes_free(struct notes *ns);

/* Returns the address of the semaphore of a probe at this address of the file; 0: none. */
uint64_t notes_semaphore(const struct notes *ns, uint64_t addr);

#endif
