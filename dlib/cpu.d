/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cpu.d: processors: cpuinfo_t, and the current processor.
 *
 * A chip is a package, a latency group is a NUMA node; both are read from /sys/devices/system/cpu
 * when tracing starts.  All processors are in one processor set.  curcpu points to a table made at
 * that time.
 */

inline psetid_t PS_NONE = -1;
inline processorid_t PBIND_NONE = -1;

typedef struct cpuinfo {
	processorid_t cpu_id; /* the CPU */
	psetid_t cpu_pset;    /* unknown on Linux */
	chipid_t cpu_chip;    /* its package */
	lgrp_id_t cpu_lgrp;   /* its memory node */
} cpuinfo_t;

inline cpuinfo_t *cpu_of[processorid_t C] = (cpuinfo_t *)cpu_info(C);
inline cpuinfo_t *curcpu = cpu_of[cpu];
inline psetid_t pset = curcpu->cpu_pset;
inline chipid_t chip = curcpu->cpu_chip;
inline lgrp_id_t lgrp = curcpu->cpu_lgrp;
