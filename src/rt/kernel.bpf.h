/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kernel.bpf.h: the part of the run-time library that walks structures of the kernel.  Where their
 * members are is passed in, 16 bits for each, the first one lowest.
 */

#define OFFSET(offs, n) ((offs) >> (n)*16 & 0xffff)

/* The pointer or word at an address, 0 if it cannot be read. */
ALWAYS_INLINE u64 word_at(u64 addr)
{
	u64 v = 0;

	read_kernel(&v, sizeof(v), (void *)addr);
	return v;
}

struct ancestors {
	u64 task, pid, offs;
	struct cell found;
};

static long ancestor_step(u32 i, struct ancestors *a)
{
	u64 parent = word_at(a->task + OFFSET(a->offs, 0));
	u32 tgid = (u32)word_at(a->task + OFFSET(a->offs, 1));

	if (tgid == (u32)a->pid)
		a->found.v = 1;
	if (tgid == (u32)a->pid || parent == a->task)
		return 1;
	a->task = parent;
	return !parent;
}

/*
 * Is the current process `pid` or a descendant of it?  offs: real_parent and tgid of task_struct.
 * The first process is its own parent.
 */
RT u64 rt_progenyof(u64 pid, u64 offs)
{
	struct ancestors a;

	START(a);
	a.pid = pid;
	a.offs = offs;
	a.task = current_task();
	loop(ENDLESS, ancestor_step, &a, 0);
	return a.found.v;
}

struct walk {
	struct str *dst, *name;
	u64 dentry, mnt; /* addresses of struct dentry, struct vfsmount */
	u64 dentry_offs, mount_offs;
	struct cell at;	  /* first character of the path in dst */
	struct cell left; /* characters of name that are still to be put in front of it */
};

/* One character, or one step up. */
static long walk_step(u32 i, struct walk *w)
{
	u64 at = (u64)w->at.v - 1, left = w->left.v, up;
	s64 n;

	if (left) {
		if (at >= strsize())
			return 1;
		w->dst->b[at] = (char)char_at(w->name, left - 1);
		w->at.v = at;
		w->left.v = left - 1;
		return 0;
	}
	if (w->dentry == word_at(w->mnt + OFFSET(w->dentry_offs, 2))) {
		u64 mount = w->mnt - OFFSET(w->mount_offs, 2);

		up = word_at(mount + OFFSET(w->mount_offs, 0));
		w->dentry = word_at(mount + OFFSET(w->mount_offs, 1));
		w->mnt = up + OFFSET(w->mount_offs, 2);
		return up == mount || !up;
	}
	up = word_at(w->dentry + OFFSET(w->dentry_offs, 0));
	if (up == w->dentry || !up)
		return 1;
	n = read_kernel_str((char *)w->name + 1, strsize() - 1,
			    (void *)word_at(w->dentry + OFFSET(w->dentry_offs, 1)));
	w->name->b[0] = '/';
	w->dentry = up;
	w->left.v = n > 0 ? n : 1;
	return 0;
}

/*
 * The path of the struct path at an address; its end, if it is too long.  dentry_offs: d_parent,
 * d_name.name of struct dentry, mnt_root of struct vfsmount; mount_offs: mnt_parent,
 * mnt_mountpoint, mnt of struct mount, and whether the root of the mount is meant.  tmp is for our
 * use.  Returns 0 if there is no such path.
 */
RT u64 rt_path(struct str *dst, struct str *tmp, u64 path, u64 dentry_offs, u64 mount_offs)
{
	struct walk w;

	if (!dst || !tmp)
		return 0;
	START(w);
	w.dst = tmp;
	w.name = dst;
	w.dentry_offs = dentry_offs;
	w.mount_offs = mount_offs;
	w.mnt = word_at(path);
	w.dentry = OFFSET(mount_offs, 3) ? word_at(w.mnt + OFFSET(dentry_offs, 2))
					 : word_at(path + sizeof(u64));
	w.at.v += strsize() - 1;
	tmp->b[strsize() - 1] = 0;
	dst->b[0] = 0;
	if (!w.dentry || strsize() < 2)
		return w.dentry != 0;
	loop(ENDLESS, walk_step, &w, 0);
	if (w.at.v == strsize() - 1)
		one_char(dst, '/');
	else
		suffix(dst, tmp, w.at.v);
	return 1;
}
