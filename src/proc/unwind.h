/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unwind.h: how to find the caller at each instruction of an ELF file, from its .eh_frame (Linux
 * Standard Base Core Specification, "Exception Frames"; DWARF 5, 6.4), as the rows that the kernel
 * side looks up (abi.h).
 */
#ifndef PROC_UNWIND_H
#define PROC_UNWIND_H

#include "base/vec.h"
#include "proc/proc.h"
#include "rt/abi.h"

struct arch;

struct unwind {
	VEC(struct abi_unwind_row) rows; /* by pc, which each differ in */
	uint64_t base;			 /* to be added to a pc for an address of the file */
	VEC(struct proc_segment) loads;
	bool is_native; /* for this processor, in 64 bits */
	bool is_cut;	/* the file exceeds a limit: rows are missing */
};

/*
 * Read the file.  A file that says nothing, or what is wrong, has fewer rows or none; uw is to be
 * given to unwind_free in any case.
 */
void unwind_read(struct unwind *uw, const struct arch *arch, int fd);
void unwind_free(struct unwind *uw);

/* How far a mapping has moved the addresses of its file; false: nothing that is loaded is there. */
bool unwind_moved(const struct unwind *uw, const struct proc_map *m, uint64_t *by);

#endif
