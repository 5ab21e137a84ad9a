/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * subr_kernel.c: subroutines that follow chains of kernel structures.  Subroutines on one structure
 * are inlines of dlib/kernel.d.
 */
#include <assert.h>
#include <inttypes.h>
#include <linux/bpf.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/arena.h"
#include "base/buf.h"
#include "builtin/builtin.h"
#include "kern/kern.h"
#include "sys/machine.h"

/* Returns the offset of a member in bytes, or of its member INNER ("d_name" and then "name"). */
static uint64_t offset(struct lw *lw, const char *type, const char *name, const char *inner)
{
	struct types *ts = lw->plan->env.types;
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
	const struct expr *pid = e->args[0];

	/* The user has process numbers of dtrace's own namespace. */
	if (pid->kind == EXPR_INT && pid->is_typed)
		return builtin_int(
		    lw_progenyof(
			lw, lw_const(lw, kern_host_pid(lw->plan->env.kern, (uint32_t)pid->val))),
		    e);
	return builtin_int(lw_progenyof(lw, lw_scalar(lw, pid)), e);
}

/* ---- location of a processor: facts of the session, in a table by its number ---- */

/* Returns the number in a file, or 0 if it cannot be read. */
static int32_t sysfs_package(struct machine *m, int cpu)
{
	char path[96];
	struct buf b = {0};
	int n = 0;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/topology/physical_package_id",
		 cpu);
	if (sys_read_file(m, path, &b))
		n = atoi(buf_str(&b));
	buf_free(&b);
	return n > 0 ? n : 0;
}

static void find_node(void *ctx, const char *name)
{
	int32_t n;

	if (sscanf(name, "node%" SCNd32, &n) == 1)
		*(int32_t *)ctx = n;
}

/* Kernels with NUMA have a link named node and its number. */
static int32_t sysfs_node(struct machine *m, int cpu)
{
	char path[64];
	int32_t n = 0;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d", cpu);
	sys_list(m, path, find_node, &n);
	return n;
}

static int64_t memory_pages(struct machine *m)
{
	struct buf b = {0};
	int64_t kb = 0;

	if (sys_read_file(m, "/proc/meminfo", &b))
		sscanf(buf_str(&b), "MemTotal: %" SCNd64, &kb);
	buf_free(&b);
	return kb * 1024 / sysconf(_SC_PAGESIZE);
}

/*
 * machine_state(n): 0 to 4 are the members of struct abi_state from load on, which the consumer
 * updates; 5 is the number of all pages of memory.
 */
static struct val call_machine_state(struct lw *lw, const struct expr *e)
{
	const struct expr *n = e->args[0];
	struct ir_ins *row;

	if (n->kind == EXPR_INT && n->val == 5)
		return builtin_int(lw_const(lw, memory_pages(kern_machine(lw->plan->env.kern))), e);
	row = lw_bini(lw, IR_SHL, lw_umin(lw, lw_scalar(lw, n), lw_const(lw, 4)), 3);
	return builtin_int(ir_load(&lw->b, 8,
				   ir_bin(&lw->b, IR_ADD, ir_mapval(&lw->b, MAP_STATE, 0), row),
				   offsetof(struct abi_state, load), IR_MEM_MAP),
			   e);
}

/*
 * cpu_info(n): returns the address of a processor's cpuinfo_t (dlib/cpu.d); NULL: impossible
 * number.  The table is read-only, so the address is a plain number.
 */
static struct val call_cpu_info(struct lw *lw, const struct expr *e)
{
	struct machine *m = kern_machine(lw->plan->env.kern);
	int ncpu = (int)kern_ncpu_possible(lw->plan->env.kern);
	int32_t(*table)[4] = arena_alloc(lw->mod->arena, (size_t)ncpu * sizeof(*table));
	struct ir_ins *cpu = lw_scalar(lw, e->args[0]), *known, *at;
	uint32_t off;

	for (int i = 0; i < ncpu; i++) {
		table[i][0] = i;
		table[i][1] = 0;
		table[i][2] = sysfs_package(m, i);
		table[i][3] = sysfs_node(m, i);
	}
	off = lw_bytes(lw, table, (uint32_t)ncpu * sizeof(*table), 4);
	at = lw_number(lw, (struct val){.v = ir_mapval(&lw->b, MAP_RODATA, off),
					.place = PLACE_SAFE,
					.mem = IR_MEM_MAP});
	at = lw_bin(lw, IR_ADD, at, lw_bini(lw, IR_SHL, cpu, 4));
	/* A mask keeps the address of an existing processor and clears any other. */
	known = lw_bin(lw, IR_ULT, cpu, lw_const(lw, ncpu));
	return builtin_int(lw_bin(lw, IR_AND, at, lw_un(lw, IR_NEG, known)), e);
}

/* ---- paths ---- */

/* Packs up to six offsets into one word. */
static struct ir_ins *pack(struct lw *lw, const uint64_t *offs, unsigned int n)
{
	uint64_t word = 0;

	assert(n * ABI_OFFSET_BITS <= 64);
	while (n-- > 0) {
		assert(offs[n] < 1 << ABI_OFFSET_BITS);
		word = word << ABI_OFFSET_BITS | offs[n];
	}
	return lw_const(lw, (int64_t)word);
}

/*
 * Returns the path of a dentry in a mount, seen from the root of the mount name space.  *found is 0
 * without one.
 */
static struct strv path_or_none(struct lw *lw, struct ir_ins *mnt, struct ir_ins *dentry,
				struct ir_ins **found)
{
	const uint64_t offs[] = {
	    offset(lw, "struct dentry", "d_parent", NULL),
	    offset(lw, "struct dentry", "d_name", "name"),
	    offset(lw, "struct vfsmount", "mnt_root", NULL),
	    offset(lw, "struct mount", "mnt_parent", NULL),
	    offset(lw, "struct mount", "mnt_mountpoint", NULL),
	    offset(lw, "struct mount", "mnt", NULL),
	};
	uint32_t max = lw->plan->opt.strsize;
	struct tmp dst = lw_scratch(lw, max), tmp = lw_scratch(lw, max);

	*found = lw_rt(lw, "rt_path", dst.p, tmp.p, mnt, dentry, pack(lw, offs, 6), NULL);
	return (struct strv){.p = dst.p, .size = max, .mem = dst.mem};
}

static void fault_unless(struct lw *lw, struct ir_ins *v, struct ir_ins *at)
{
	lw_fault_if(lw, ir_bin(&lw->b, IR_EQ, v, ir_const(&lw->b, 0)), ABI_FLT_BADADDR, at);
}

/* Does the same, but faults with `at` if there is no path. */
static struct strv path(struct lw *lw, struct ir_ins *mnt, struct ir_ins *dentry, struct ir_ins *at)
{
	struct ir_ins *found;
	struct strv s = path_or_none(lw, mnt, dentry, &found);

	fault_unless(lw, found, at);
	return s;
}

/* Returns a word of kernel memory, or 0 if it cannot be read. */
static struct ir_ins *word_at(struct lw *lw, struct ir_ins *base, uint64_t off)
{
	return lw_rt(lw, "rt_word_at", lw_bini(lw, IR_ADD, base, (int64_t)off), NULL);
}

static struct ir_ins *path_mnt(struct lw *lw, struct ir_ins *at)
{
	return word_at(lw, at, offset(lw, "struct path", "mnt", NULL));
}

static struct ir_ins *path_dentry(struct lw *lw, struct ir_ins *at)
{
	return word_at(lw, at, offset(lw, "struct path", "dentry", NULL));
}

static struct strv str_d_path(struct lw *lw, const struct expr *e)
{
	struct ir_ins *at = lw_number(lw, lw_expr(lw, e->args[0]));
	struct ir_ins *mnt = path_mnt(lw, at);

	return path(lw, mnt, path_dentry(lw, at), at);
}

/* path_below(dir, path): the directory matters only if the path is relative. */
static struct strv str_path_below(struct lw *lw, const struct expr *e)
{
	struct strv src = lw_str_copy(lw, e->args[1]);
	struct ir_ins *at = lw_number(lw, lw_expr(lw, e->args[0]));
	struct ir_ins *mnt = path_mnt(lw, at), *found;
	struct strv dir = path_or_none(lw, mnt, path_dentry(lw, at), &found);

	fault_unless(lw, lw_rt(lw, "rt_below", dir.p, src.p, NULL), at);
	return dir;
}

static struct strv str_mount_path(struct lw *lw, const struct expr *e)
{
	struct ir_ins *at = lw_number(lw, lw_expr(lw, e->args[0]));
	struct ir_ins *mnt = path_mnt(lw, at);

	return path(lw, mnt, word_at(lw, mnt, offset(lw, "struct vfsmount", "mnt_root", NULL)), at);
}

static struct strv str_dentry_path(struct lw *lw, const struct expr *e)
{
	struct ir_ins *mnt = lw_number(lw, lw_expr(lw, e->args[0]));
	struct ir_ins *dentry = lw_number(lw, lw_expr(lw, e->args[1]));

	return path(lw, mnt, dentry, dentry);
}

/*
 * sb_mount(sb, dentry): returns the mount of a file system; NULL: none.  If the name is not NULL,
 * it is the mount of the part with that name.  The mounts of a file system are linked through a
 * struct list_head in each, in newer kernels directly.
 */
static struct val call_sb_mount(struct lw *lw, const struct expr *e)
{
	bool direct = lw_has_member(lw, "struct mount", "mnt_next_for_sb");
	const uint64_t offs[] = {
	    offset(lw, "struct super_block", "s_mounts", NULL),
	    offset(lw, "struct super_block", "s_root", NULL),
	    direct ? 0 : offset(lw, "struct mount", "mnt_instance", NULL),
	    direct ? offset(lw, "struct mount", "mnt_next_for_sb", NULL) : 0,
	    offset(lw, "struct mount", "mnt", NULL),
	    offset(lw, "struct vfsmount", "mnt_root", NULL),
	};
	struct ir_ins *sb = lw_number(lw, lw_expr(lw, e->args[0]));
	struct ir_ins *dentry = lw_number(lw, lw_expr(lw, e->args[1]));
	struct ir_ins *up = lw_const(lw, (int64_t)offset(lw, "struct dentry", "d_parent", NULL));

	return builtin_int(lw_rt(lw, "rt_sb_mount", sb, dentry, up, pack(lw, offs, 6), NULL), e);
}

/* dev_takes(dev, mac): see rt_dev_takes. */
static struct val call_dev_takes(struct lw *lw, const struct expr *e)
{
	struct ir_ins *dev = lw_number(lw, lw_expr(lw, e->args[0]));
	struct ir_ins *mac = lw_number(lw, lw_expr(lw, e->args[1]));
	uint64_t offs = offset(lw, "struct net_device", "adj_list", "upper") |
			offset(lw, "struct net_device", "dev_addr", NULL) << 16 |
			offset(lw, "struct netdev_adjacent", "list", NULL) << 32;

	return builtin_int(lw_rt(lw, "rt_dev_takes", dev, mac, lw_const(lw, (int64_t)offs), NULL),
			   e);
}

/* Another process has something else where its goroutine would be. */
static struct val call_goid(struct lw *lw, const struct expr *e)
{
	struct ir_ins *is_own = lw_bini(lw, IR_EQ, lw_own_pid(lw), e->ident->pid);
	struct ir_ins *tls = lw_inner(lw, lw_current(lw), "thread", arch_native->thread_pointer).v;

	tls = lw_bin(lw, IR_AND, tls, lw_bin(lw, IR_SUB, lw_const(lw, 0), is_own));
	return builtin_int(lw_rt(lw, "rt_goid", tls, lw_const(lw, (int64_t)e->ident->addr), NULL),
			   e);
}

const struct lang_row builtin_subr_kernel[] = {
    {.name = "progenyof",
     .flags = LANG_THERE,
     .kind = IDENT_FUNC,
     .proto = "int progenyof(pid_t)",
     .impl = &(const struct builtin_func){.call = call_progenyof}},
    {.name = "goid",
     .flags = LANG_EXTENSION,
     .kind = IDENT_FUNC,
     .proto = "uint64_t goid()",
     .check = check_goroutine,
     .impl = &(const struct builtin_func){.call = call_goid, .use = {.running = true}}},
    {.name = "cpu_info",
     .kind = IDENT_FUNC,
     .proto = "uintptr_t cpu_info(processorid_t)",
     .impl = &(const struct builtin_func){.call = call_cpu_info}},
    {.name = "machine_state",
     .kind = IDENT_FUNC,
     .proto = "uint64_t machine_state(int)",
     .impl = &(const struct builtin_func){.call = call_machine_state, .use = {.machine = true}}},
    {.name = "d_path",
     .kind = IDENT_FUNC,
     .proto = "string d_path(struct path *)",
     .impl = &(const struct builtin_func){.str = str_d_path}},
    {.name = "mount_path",
     .kind = IDENT_FUNC,
     .proto = "string mount_path(struct path *)",
     .impl = &(const struct builtin_func){.str = str_mount_path}},
    {.name = "path_below",
     .kind = IDENT_FUNC,
     .proto = "string path_below(struct path *, const char *)",
     .impl = &(const struct builtin_func){.str = str_path_below}},
    {.name = "dentry_path",
     .kind = IDENT_FUNC,
     .proto = "string dentry_path(struct vfsmount *, struct dentry *)",
     .impl = &(const struct builtin_func){.str = str_dentry_path}},
    {.name = "dev_takes",
     .kind = IDENT_FUNC,
     .proto = "int dev_takes(struct net_device *, void *)",
     .impl = &(const struct builtin_func){.call = call_dev_takes}},
    {.name = "sb_mount",
     .kind = IDENT_FUNC,
     .proto = "struct vfsmount *sb_mount(struct super_block *, struct dentry *)",
     .impl = &(const struct builtin_func){.call = call_sb_mount}},
    {0},
};
