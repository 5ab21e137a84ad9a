/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unwind.h: rules to find the caller at each instruction of an ELF file, from its .eh_frame, and
 * from .debug_frame for functions that .eh_frame lacks (frames.h).  They are in the form of the
 * rows that the kernel side searches (abi.h).
 */
#ifndef PROC_UNWIND_H
#define PROC_UNWIND_H

#include "base/vec.h"
#include "proc/proc.h"
#include "rt/abi.h"

struct arch;
struct debug_dir;

struct unwind {
	VEC(struct abi_unwind_row) rows; /* by pc; neighbours differ */
	uint64_t base;			 /* pc + base is an address of the file */
	VEC(struct proc_segment) loads;
	bool is_native; /* for this processor, in 64 bits */
	bool is_cut;	/* the file exceeds a limit: rows are missing */
};

/* The path of a file, and where its separate debug file is searched (debug.h). */
struct unwind_source {
	const char *path;
	struct debug_dir *dir;
};

/*
 * Reads the file.  Bad or missing information gives fewer rows or none.  Call unwind_free in any
 * case.
 */
void unwind_read(struct unwind *uw, const struct arch *arch, int fd,
		 const struct unwind_source *from);
void unwind_free(struct unwind *uw);

/*
 * Finds the distance from addresses of the file to the mapping.  Returns false if nothing is loaded
 * at it.
 */
bool unwind_moved(const struct unwind *uw, const struct proc_map *m, uint64_t *by);

#endif
