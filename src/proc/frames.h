/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * frames.h: entries of .eh_frame (Linux Standard Base Core Specification, "Exception Frames") and
 * of .debug_frame (DWARF 5, 6.4.1), which are lists of CIEs, with common data of functions, and
 * FDEs, one for each function.  The file is not trusted (image.h): all reads are inside the
 * section.
 */
#ifndef PROC_FRAMES_H
#define PROC_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

struct arch;

/* Bytes from p on.  Reading after the end gives 0 and sets is_bad. */
struct cursor {
	const uint8_t *p, *end;
	bool is_bad;
};

uint64_t frames_fixed(struct cursor *c, unsigned int n);
uint64_t frames_uleb(struct cursor *c);
int64_t frames_sleb(struct cursor *c);

/* Returns the next n bytes as a cursor. */
struct cursor frames_part(struct cursor *c, uint64_t n);

/* A section in memory. */
struct frames_table {
	const uint8_t *bytes, *end;
	uint64_t addr;
	bool is_debug; /* .debug_frame */
};

struct cie {
	const struct frames_table *table;
	const uint8_t *at;
	uint64_t code_align;
	int64_t data_align;
	uint8_t encoding; /* of pointers to code */
	bool is_augmented, is_signal, is_known;
	struct cursor insns;
};

struct fde {
	uint64_t start, size; /* of the code */
	const uint8_t *insns;
	uint32_t ninsns;  /* bytes */
	unsigned int cie; /* in the list of all */
};

struct frames {
	const struct arch *arch;
	VEC(struct cie) cies; /* in the order of their first FDE; duplicates are possible */
	VEC(struct fde) fdes;
	uint64_t work; /* bytes of entries and instructions */
	bool is_cut;   /* a section exceeds a limit */
};

/* Reads a pointer of an encoding DW_EH_PE_*. */
uint64_t frames_address(const struct frames_table *t, struct cursor *c, uint8_t encoding);

/* Adds the entries of a table, which must stay, and sorts all by address. */
void frames_read(struct frames *f, const struct frames_table *t);

/*
 * Does the same for functions that no entry covers yet, and whose code IS_CODE accepts: linkers
 * leave entries of functions that they have removed.
 */
void frames_read_rest(struct frames *f, const struct frames_table *t,
		      bool (*is_code)(const void *ctx, uint64_t addr), const void *ctx);
void frames_free(struct frames *f);

#endif
