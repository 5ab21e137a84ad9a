/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ifunc.h: functions with several variants (STT_GNU_IFUNC), such as strlen for each processor.  The
 * dynamic linker, or the start-up code of a static program, chooses a variant; it is found here.
 */
#ifndef PROC_IFUNC_H
#define PROC_IFUNC_H

#include "proc/proc.h"

struct ifunc {
	const struct proc_sym *resolver; /* of the object */
	uint64_t addr;			 /* in the file; 0: unknown, perhaps not chosen yet */
	uint64_t size;			 /* bytes of its code; 0: unknown */
	bool is_elsewhere;		 /* in no file: kernel code in the vdso */
};

typedef VEC(struct ifunc) ifunc_list;

/*
 * Sets the choices of process p for functions of the file of mapping m.  They are read from the
 * words through which the functions are called.
 */
void ifunc_find(struct procs *ps, struct proc *p, struct proc_map *m, ifunc_list *list);

#endif
