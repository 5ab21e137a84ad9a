/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * subr_kernel.c: subroutines that follow chains of kernel structures.  Those that look at one
 * structure are inlines of dlib/kernel.d.
 */
#include <assert.h>
#include <stddef.h>

#include "builtin/builtin.h"

/* Where a member is, in bytes; path: "d_name" and then "name". */
static uint64_t offset(struct lw *lw, const char *type, const char *name, const char *inner)
{
	struct types *ts = lw->lo->types;
	struct type *t = type_lookup(ts, type);
	const struct type_member *m;
	uint64_t bits = 0, more = 0;

	m = t ? type_member(ts, type_resolve(ts, t), name, &bits) : NULL;
	if (m && inner)
		m = type_member(ts, type_resolve(ts, m->type), inner, &more);
	assert(m);
	return (bits + more) / 8;
}

static struct val call_progenyof(struct lw *lw, struct expr *e)
{
	uint64_t offs = offset(lw, "struct task_struct", "real_parent", NULL) |
			offset(lw, "struct task_struct", "tgid", NULL) << 16;

	return builtin_int(
	    lw_rt(lw, "rt_progenyof", lw_scalar(lw, e->args[0]), lw_const(lw, (int64_t)offs), NULL),
	    e);
}

/* d_path(struct path *): as seen from the root of the mount name space. */
static struct strv str_d_path(struct lw *lw, struct expr *e)
{
	uint64_t dentry = offset(lw, "struct dentry", "d_parent", NULL) |
			  offset(lw, "struct dentry", "d_name", "name") << 16 |
			  offset(lw, "struct vfsmount", "mnt_root", NULL) << 32;
	uint64_t mount = offset(lw, "struct mount", "mnt_parent", NULL) |
			 offset(lw, "struct mount", "mnt_mountpoint", NULL) << 16 |
			 offset(lw, "struct mount", "mnt", NULL) << 32;
	uint32_t max = lw->lo->strsize;
	struct tmp dst = lw_scratch(lw, max), tmp = lw_scratch(lw, max);
	struct ir_ins *path = lw_number(lw, lw_expr(lw, e->args[0])), *r;

	r = lw_rt(lw, "rt_path", dst.p, tmp.p, path, lw_const(lw, (int64_t)dentry),
		  lw_const(lw, (int64_t)mount), NULL);
	lw_fault_if(lw, ir_bin(&lw->b, IR_EQ, r, ir_const(&lw->b, 0)), ABI_FLT_BADADDR, path);
	return (struct strv){.p = dst.p, .size = max, .mem = dst.mem};
}

const struct lang_row builtin_subr_kernel[] = {
    {.name = "progenyof",
     .kind = IDENT_FUNC,
     .proto = "int progenyof(pid_t)",
     .impl = &(const struct builtin_func){.call = call_progenyof}},
    {.name = "d_path",
     .kind = IDENT_FUNC,
     .proto = "string d_path(struct path *)",
     .impl = &(const struct builtin_func){.str = str_d_path}},
    {0},
};
