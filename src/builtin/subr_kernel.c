/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * subr_kernel.c: subroutines that follow chains of kernel structures.  Those that look at one
 * structure are inlines of dlib/kernel.d.
 */
#include <assert.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <glob.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "builtin/builtin.h"

/* Where a member is, in bytes; path: "d_name" and then "name". */
static uint64_t offset(struct lw *lw, const char *type, const char *name, const char *inner)
{
	struct types *ts = lw->plan->types;
	struct type *t = type_lookup(ts, type);
	const struct type_member *m;
	uint64_t bits = 0, more = 0;

	m = t ? type_member(ts, type_resolve(ts, t), name, &bits) : NULL;
	if (m && inner)
		m = type_member(ts, type_resolve(ts, m->type), inner, &more);
	assert(m);
	return (bits + more) / 8;
}

static struct val call_progenyof(struct lw *lw, const struct expr *e)
{
	uint64_t offs = offset(lw, "struct task_struct", "real_parent", NULL) |
			offset(lw, "struct task_struct", "tgid", NULL) << 16;

	return builtin_int(
	    lw_rt(lw, "rt_progenyof", lw_scalar(lw, e->args[0]), lw_const(lw, (int64_t)offs), NULL),
	    e);
}

/* ---- where a processor is: facts of the session, a table by its number ---- */

/* The number in a file, 0 if it cannot be read. */
static int32_t sysfs_package(int cpu)
{
	char path[96];
	FILE *f;
	int n = 0;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/topology/physical_package_id",
		 cpu);
	f = fopen(path, "re");
	if (!f)
		return 0;
	if (fscanf(f, "%d", &n) != 1 || n < 0)
		n = 0;
	fclose(f);
	return n;
}

/* There is a link named node and its number where a kernel knows NUMA. */
static int32_t sysfs_node(int cpu)
{
	char path[64];
	glob_t found;
	int32_t n = 0;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/node[0-9]*", cpu);
	if (glob(path, 0, NULL, &found) != 0)
		return 0;
	n = atoi(strrchr(found.gl_pathv[0], '/') + strlen("/node"));
	globfree(&found);
	return n;
}

/*
 * cpu_info(n): where the cpuinfo_t (dlib/cpu.d) of a processor is, NULL of one that cannot be.
 * Nobody writes there, so the address is a number that says nothing of other memory.
 */
static struct val call_cpu_info(struct lw *lw, const struct expr *e)
{
	int ncpu = libbpf_num_possible_cpus();
	int32_t(*table)[4] = arena_alloc(lw->mod->arena, (size_t)ncpu * sizeof(*table));
	struct ir_ins *cpu = lw_scalar(lw, e->args[0]), *known, *at;
	uint32_t off;

	for (int i = 0; i < ncpu; i++) {
		table[i][0] = i;
		table[i][1] = 0;
		table[i][2] = sysfs_package(i);
		table[i][3] = sysfs_node(i);
	}
	off = lw_bytes(lw, table, (uint32_t)ncpu * sizeof(*table), 4);
	at = lw_number(lw, (struct val){.v = ir_mapval(&lw->b, MAP_RODATA, off),
					.place = PLACE_SAFE,
					.mem = IR_MEM_MAP});
	at = lw_bin(lw, IR_ADD, at, lw_bini(lw, IR_SHL, cpu, 4));
	/* All bits of the address if there is such a processor, none if not. */
	known = lw_bin(lw, IR_ULT, cpu, lw_const(lw, ncpu));
	return builtin_int(lw_bin(lw, IR_AND, at, lw_un(lw, IR_NEG, known)), e);
}

/*
 * A path as seen from the root of the mount name space: that of the struct path in the first
 * argument, or of the root of its mount.
 */
static struct strv path(struct lw *lw, const struct expr *e, bool of_mount)
{
	uint64_t dentry = offset(lw, "struct dentry", "d_parent", NULL) |
			  offset(lw, "struct dentry", "d_name", "name") << 16 |
			  offset(lw, "struct vfsmount", "mnt_root", NULL) << 32;
	uint64_t mount = offset(lw, "struct mount", "mnt_parent", NULL) |
			 offset(lw, "struct mount", "mnt_mountpoint", NULL) << 16 |
			 offset(lw, "struct mount", "mnt", NULL) << 32 | (uint64_t)of_mount << 48;
	uint32_t max = lw->plan->strsize;
	struct tmp dst = lw_scratch(lw, max), tmp = lw_scratch(lw, max);
	struct ir_ins *at = lw_number(lw, lw_expr(lw, e->args[0])), *r;

	r = lw_rt(lw, "rt_path", dst.p, tmp.p, at, lw_const(lw, (int64_t)dentry),
		  lw_const(lw, (int64_t)mount), NULL);
	lw_fault_if(lw, ir_bin(&lw->b, IR_EQ, r, ir_const(&lw->b, 0)), ABI_FLT_BADADDR, at);
	return (struct strv){.p = dst.p, .size = max, .mem = dst.mem};
}

static struct strv str_d_path(struct lw *lw, const struct expr *e)
{
	return path(lw, e, false);
}

static struct strv str_mount_path(struct lw *lw, const struct expr *e)
{
	return path(lw, e, true);
}

const struct lang_row builtin_subr_kernel[] = {
    {.name = "progenyof",
     .kind = IDENT_FUNC,
     .proto = "int progenyof(pid_t)",
     .impl = &(const struct builtin_func){.call = call_progenyof}},
    {.name = "cpu_info",
     .kind = IDENT_FUNC,
     .proto = "uintptr_t cpu_info(processorid_t)",
     .impl = &(const struct builtin_func){.call = call_cpu_info}},
    {.name = "d_path",
     .kind = IDENT_FUNC,
     .proto = "string d_path(struct path *)",
     .impl = &(const struct builtin_func){.str = str_d_path}},
    {.name = "mount_path",
     .kind = IDENT_FUNC,
     .proto = "string mount_path(struct path *)",
     .impl = &(const struct builtin_func){.str = str_mount_path}},
    {0},
};
