/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kernel.bpf.h: the part of the run-time library that walks structures of the kernel.  Callers pass
 * the offsets of members, with ABI_OFFSET_BITS for each, the first one lowest.
 */

#define OFFSET(offs, n) ((offs) >> (n)*ABI_OFFSET_BITS & ((1 << ABI_OFFSET_BITS) - 1))

/* Returns the pointer or word at an address, or 0 if it cannot be read. */
ALWAYS_INLINE u64 word_at(u64 addr)
{
	u64 v = 0;

	read_kernel(&v, sizeof(v), (void *)addr);
	return v;
}

RT u64 rt_word_at(u64 addr)
{
	return word_at(addr);
}

/* Returns the hash of a string, or 0 if the string cannot be read. */
RT u64 rt_name_hash(u64 addr)
{
	u64 words[ABI_NAME_WORDS] = {};

	if (read_kernel_str((char *)words, sizeof(words), (void *)addr) <= 0)
		return 0;
	return abi_name_hash(words);
}

/*
 * Returns the struct kmem_cache of an object, from the struct page of its address, on x86.  base,
 * pages: addresses of the kernel variables with the start of its map of all memory, and of all
 * struct page.  offs: size of struct page, compound_head in it, and slab_cache in struct slab,
 * which overlays the first page of a slab.  For other memory the result is arbitrary.
 */
RT u64 rt_slab_cache(u64 addr, u64 base, u64 pages, u64 offs)
{
	u64 page, head;

	base = word_at(base);
	if (addr < base || !base)
		return 0;
	page = word_at(pages) + ((addr - base) >> 12) * OFFSET(offs, 0);
	head = word_at(page + OFFSET(offs, 1));
	return word_at((head & 1 ? head - 1 : page) + OFFSET(offs, 2));
}

struct ancestors {
	u64 task, pid, offs;
	struct cell found;
};

static long ancestor_step(u32 i, struct ancestors *a)
{
	u64 parent = word_at(a->task + (u32)a->offs);
	u32 tgid = (u32)word_at(a->task + (a->offs >> 32));

	if (tgid == (u32)a->pid)
		a->found.v = 1;
	if (tgid == (u32)a->pid || parent == a->task)
		return 1;
	a->task = parent;
	return !parent;
}

/*
 * Returns 1 if the process of `task`, or the current process if that is 0, is `pid` or a descendant
 * of it.  offs: real_parent and tgid of task_struct, with 32 bits each because task_struct is
 * large. The first process is its own parent.
 */
RT u64 rt_progenyof(u64 pid, u64 offs, u64 task)
{
	struct ancestors a;

	START(a);
	a.pid = pid;
	a.offs = offs;
	a.task = task ? task : current_task();
	loop(ENDLESS, ancestor_step, &a, 0);
	return a.found.v;
}

/*
 * Returns the number of a task's process in a PID namespace at this level; 0: the process is not in
 * it.  task_offs: group_leader and thread_pid of task_struct.  pid_offs: level and numbers of
 * struct pid.
 */
RT u64 rt_pid_in(u64 task, u64 ns, u64 level, u64 task_offs, u64 pid_offs)
{
	u64 leader = word_at(task + (u32)task_offs);
	u64 pid = word_at(leader + (task_offs >> 32)), upid;

	if ((u32)word_at(pid + (u32)pid_offs) < level)
		return 0;
	upid = pid + (pid_offs >> 32) + level * 16;
	return word_at(upid + 8) == ns ? (u32)word_at(upid) : 0;
}

struct walk {
	struct str *dst, *name;
	u64 dentry, mnt; /* addresses of struct dentry, struct vfsmount */
	u64 offs;
	struct cell at;	  /* first character of the path in dst */
	struct cell left; /* characters of name that are still to be prepended */
};

/* Takes one character, or one step up. */
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
	if (w->dentry == word_at(w->mnt + OFFSET(w->offs, 2))) {
		u64 mount = w->mnt - OFFSET(w->offs, 5);

		up = word_at(mount + OFFSET(w->offs, 3));
		w->dentry = word_at(mount + OFFSET(w->offs, 4));
		w->mnt = up + OFFSET(w->offs, 5);
		return up == mount || !up;
	}
	up = word_at(w->dentry + OFFSET(w->offs, 0));
	if (up == w->dentry || !up)
		return 1;
	n = read_kernel_str((char *)w->name + 1, strsize() - 1,
			    (void *)word_at(w->dentry + OFFSET(w->offs, 1)));
	w->name->b[0] = '/';
	w->dentry = up;
	w->left.v = n > 0 ? n : 1;
	return 0;
}

/*
 * Writes the path of a name in a mount, both given by their addresses.  Keeps the end of a path
 * that is too long.  offs: d_parent, d_name.name of struct dentry, mnt_root of struct vfsmount,
 * mnt_parent, mnt_mountpoint, mnt of struct mount.  tmp is scratch memory.  Returns 0 if there is
 * no such name.
 */
RT u64 rt_path(struct str *dst, struct str *tmp, u64 mnt, u64 dentry, u64 offs)
{
	struct walk w;

	if (!dst || !tmp)
		return 0;
	START(w);
	w.dst = tmp;
	w.name = dst;
	w.offs = offs;
	w.mnt = mnt;
	w.dentry = dentry;
	w.at.v += strsize() - 1;
	tmp->b[strsize() - 1] = 0;
	dst->b[0] = 0;
	if (!dentry || strsize() < 2)
		return dentry != 0;
	loop(ENDLESS, walk_step, &w, 0);
	if (w.at.v == strsize() - 1)
		one_char(dst, '/');
	else
		suffix(dst, tmp, w.at.v);
	return 1;
}

/* The topmost name above a name. */
struct top {
	u64 dentry;
	u64 d_parent; /* its offset in struct dentry */
};

static long top_step(u32 i, struct top *t)
{
	u64 up = word_at(t->dentry + t->d_parent);

	if (!up || up == t->dentry)
		return 1;
	t->dentry = up;
	return 0;
}

struct mounts {
	u64 node, end; /* links of the mounts of a file system */
	u64 top, root;
	u64 offs;
	u64 found, whole;
};

static long mount_step(u32 i, struct mounts *m)
{
	u64 mnt = m->node + OFFSET(m->offs, 4) - OFFSET(m->offs, 2), root;

	if (!m->node || m->node == m->end)
		return 1;
	root = word_at(mnt + OFFSET(m->offs, 5));
	if (root == m->top) {
		m->found = mnt;
		return 1;
	}
	if (root == m->root)
		m->whole = mnt;
	m->node = word_at(m->node + OFFSET(m->offs, 3));
	return 0;
}

/*
 * Returns the struct vfsmount of a mount that contains a name, or else of the whole file system; 0:
 * none.  These differ for NFS, where each mount has its own root.  offs: s_mounts, s_root of struct
 * super_block; in struct mount the link, and in the link the next one; mnt of struct mount,
 * mnt_root of struct vfsmount.
 */
RT u64 rt_sb_mount(u64 sb, u64 dentry, u64 d_parent, u64 offs)
{
	struct mounts m;
	struct top t;

	START(t);
	t.dentry = dentry;
	t.d_parent = d_parent;
	if (dentry)
		loop(ENDLESS, top_step, &t, 0);
	START(m);
	m.offs = offs;
	m.end = sb + OFFSET(offs, 0);
	m.node = word_at(m.end);
	m.root = word_at(sb + OFFSET(offs, 1));
	m.top = dentry ? t.dentry : m.root;
	loop(ENDLESS, mount_step, &m, 0);
	return m.found ? m.found : m.whole;
}

#define MAC_MASK ((1ULL << 48) - 1)

struct uppers {
	u64 node, end; /* links of the devices on top */
	u64 mac;
	u64 link, dev_addr; /* offsets in struct netdev_adjacent and struct net_device */
	u64 found;
};

static long upper_step(u32 i, struct uppers *u)
{
	u64 dev;

	if (!u->node || u->node == u->end)
		return 1;
	dev = word_at(u->node - u->link);
	if ((word_at(word_at(dev + u->dev_addr)) & MAC_MASK) == u->mac) {
		u->found = 1;
		return 1;
	}
	u->node = word_at(u->node);
	return 0;
}

/*
 * Returns 1 if a device on top of `dev` has the 6-byte address at `mac`, otherwise 0.  offs:
 * adj_list.upper and dev_addr of struct net_device, list of struct netdev_adjacent, whose first
 * member is the device; 16 bits each.
 */
RT u64 rt_dev_takes(u64 dev, u64 mac, u64 offs)
{
	struct uppers u;

	START(u);
	u.end = dev + (u16)offs;
	u.dev_addr = (u16)(offs >> 16);
	u.link = (u16)(offs >> 32);
	u.mac = word_at(mac) & MAC_MASK;
	u.node = word_at(u.end);
	loop(ENDLESS, upper_step, &u, 0);
	return u.found;
}

enum { IP6_HOPBYHOP = 0, IP6_ROUTING = 43, IP6_FRAGMENT = 44, IP6_NONE = 59, IP6_DSTOPTS = 60 };

/*
 * Skips an IPv6 header and at most six extension headers.  Returns the protocol after them.  Bit 8
 * marks a later fragment, in which no header can be found.  The offset is << 16.
 */
RT u64 rt_ip6_behind(u64 ip)
{
	u64 off = 40, next = word_at(ip + 6) & 0xff;

	for (int i = 0; i < 6; i++) {
		u64 ext;

		if (next != IP6_HOPBYHOP && next != IP6_ROUTING && next != IP6_FRAGMENT &&
		    next != IP6_DSTOPTS)
			break;
		if (read_kernel(&ext, sizeof(ext), (void *)(ip + off)) < 0)
			return IP6_NONE | off << 16;
		off += 8;
		/* In network order: 13 bits of offset, 3 of flags. */
		if (next == IP6_FRAGMENT && (ext & 0xf8ff0000))
			return (ext & 0xff) | 1 << 8 | off << 16;
		if (next != IP6_FRAGMENT)
			off += (ext >> 8 & 0xff) << 3;
		next = ext & 0xff;
	}
	return next | off << 16;
}
