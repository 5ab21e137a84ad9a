/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ifunc.h: what the dynamic linker, or the start-up code of a static program, has chosen for the
 * functions of which there are several (STT_GNU_IFUNC): strlen for this processor, time.
 */
#ifndef PROC_IFUNC_H
#define PROC_IFUNC_H

#include "proc/proc.h"

struct ifunc {
	const struct proc_sym *resolver; /* of the object */
	uint64_t addr;			 /* in the file; 0: not known, not chosen yet perhaps */
	uint64_t size;			 /* of the code there; 0: not known */
	bool is_elsewhere;		 /* in no file: code of the kernel, vdso */
};

typedef VEC(struct ifunc) ifunc_list;

/*
 * Fill in what process p has chosen for the functions of the file of mapping m: it is read from
 * where those who call them have it.
 */
void ifunc_find(struct procs *ps, struct proc *p, struct proc_map *m, ifunc_list *list);

#endif
