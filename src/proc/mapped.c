/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mapped.c: opens the file of a mapping, and finds the mapping, the object and the symbol at an
 * address.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "proc/far.h"
#include "proc/image.h"
#include "proc/maps_priv.h"
#include "proc/proc.h"

#define VDSO_MAX 65536 /* bytes of the kernel's object */

/*
 * Returns true if an open file has the path of the id.  A file opened through a link has another.
 */
static bool has_path(const char *id, int fd)
{
	char link[32], path[PATH_MAX];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof(path) - 1);
	path[n < 0 ? 0 : n] = '\0';
	return n > 0 && strcmp(path, strchrnul(id, '/')) == 0;
}

/*
 * Compares device and inode.  On btrfs, /proc/PID/maps shows the device of the filesystem, but
 * stat(2) shows the device of the subvolume.  Inodes are unique in a subvolume only, so the path
 * has to match, too.
 */
static bool is_same(const char *id, int fd)
{
	unsigned int dev_major, dev_minor;
	unsigned long long inode;
	struct statfs fs;
	struct stat st;

	if (sscanf(id, "%x:%x %llu", &dev_major, &dev_minor, &inode) != 3 || fstat(fd, &st) != 0 ||
	    st.st_ino != inode)
		return false;
	if (major(st.st_dev) == dev_major && minor(st.st_dev) == dev_minor)
		return true;
	return dev_major == 0 && fstatfs(fd, &fs) == 0 && fs.f_type == BTRFS_SUPER_MAGIC &&
	       has_path(id, fd);
}

/* Returns true if the file at this path is the mapped one.  Another file might have replaced it. */
bool proc_is_mapped(const struct proc_map *m, const char *path)
{
	int fd = file_handle(AT_FDCWD, path, 0);
	bool is_it = fd >= 0 && is_same(m->id, fd);

	if (fd >= 0)
		close(fd);
	return is_it;
}

/* Sets the kernel's link for a mapping of the process. */
static bool is_link(const struct proc *p, uint64_t start, uint64_t end, char *buf, size_t size)
{
	snprintf(buf, size, "/proc/%u/map_files/%llx-%llx", p->thread, (unsigned long long)start,
		 (unsigned long long)end);
	return p->far || eaccess(buf, R_OK) == 0;
}

/*
 * Tries the kernel's link for the mapping first.  A dynamic linker maps the data of a file over the
 * end of its first mapping, which then has another link.  A file in a memfd has no other name, and
 * another file may have the name of a deleted one.
 */
static bool find_link(const struct proc *p, const struct proc_map *m, char *buf, size_t size)
{
	struct proc_range now;

	return is_link(p, m->start, m->end, buf, size) ||
	       (maps_find(p, m->id, &now) && is_link(p, now.start, now.end, buf, size));
}

/*
 * Without a link, or the permission for it, tries the path in the process's root.  If that is gone,
 * tries the path here, and the parent's.
 */
const char *proc_find_file(const struct proc *p, const struct proc_map *m, char *buf, size_t size)
{
	if (find_link(p, m, buf, size))
		return buf;
	snprintf(buf, size, "/proc/%u/root%s", p->thread, m->path);
	if (eaccess(buf, R_OK) == 0)
		return buf;
	if (proc_is_mapped(m, m->path))
		return m->path;
	if (p->parent) {
		snprintf(buf, size, "/proc/%u/root%s", p->parent, m->path);
		if (!proc_is_mapped(m, buf))
			buf[0] = '\0';
	}
	return buf;
}

/* A file on layers may have another inode number than the mapping shows. */
bool proc_is_file(const char *id, int fd)
{
	struct statfs fs;

	return is_same(id, fd) ||
	       (fstatfs(fd, &fs) == 0 && fs.f_type == OVERLAYFS_SUPER_MAGIC && has_path(id, fd));
}

/* The link of a mapping always leads to the right file. */
static int open_far(const struct proc *p, const struct proc_map *m)
{
	char buf[PROC_PATH_MAX];

	return far_copy(p->far, m->id, proc_find_file(p, m, buf, sizeof(buf)));
}

static int open_here(const struct proc *p, const struct proc_map *m)
{
	char buf[PROC_PATH_MAX];
	int fd = file_open_ordinary(proc_find_file(p, m, buf, sizeof(buf)));

	if (fd < 0 || proc_is_file(m->id, fd))
		return fd;
	close(fd);
	return -ENOENT;
}

/*
 * Copies the object that the kernel maps into every process.  Our own is the same as the object of
 * other 64-bit processes.
 */
static int open_vdso(const struct proc *p, const struct proc_map *m)
{
	const void *own = m->end > UINT32_MAX ? (const void *)getauxval(AT_SYSINFO_EHDR) : NULL;
	size_t size = m->end - m->start < VDSO_MAX ? m->end - m->start : VDSO_MAX;
	int fd = memfd_create(PROC_VDSO, MFD_CLOEXEC), mem = -1;
	char path[64], *copy = NULL;
	bool ok;

	if (!own) {
		snprintf(path, sizeof(path), "/proc/%u/mem", p->thread);
		mem = file_open(path, O_RDONLY);
		copy = mem_alloc(size);
	}
	ok = own || pread(mem, copy, size, (off_t)m->start) == (ssize_t)size;
	ok = ok && fd >= 0 && write(fd, own ? own : copy, size) == (ssize_t)size;
	mem_free(copy);
	if (mem >= 0)
		close(mem);
	if (ok)
		return fd;
	if (fd >= 0)
		close(fd);
	return -ENOENT;
}

int proc_open(const struct proc *p, const struct proc_map *m)
{
	if (m == &p->vdso)
		return p->far ? -ENOENT : open_vdso(p, m);
	return p->far ? open_far(p, m) : open_here(p, m);
}

/* ---- data ---- */

/* Returns the segment of code that begins in a mapping, or that contains the mapping. */
static const struct proc_segment *code_of(const struct proc_object *o, const struct proc_map *m)
{
	for (unsigned int i = 0; i < o->loads.n; i++) {
		const struct proc_segment *s = &o->loads.a[i];

		if (s->is_code && s->off < m->off + (m->end - m->start) &&
		    m->off < s->off + s->size)
			return s;
	}
	return NULL;
}

/* Returns the bias that loading has added to the addresses of the file. */
static uint64_t bias_of(const struct proc_segment *code, const struct proc_map *m)
{
	return m->start - m->off + code->off - code->vaddr;
}

static bool has_address(const struct proc_object *o, uint64_t vaddr)
{
	for (unsigned int i = 0; i < o->loads.n; i++)
		if (vaddr - o->loads.a[i].vaddr < o->loads.a[i].room)
			return true;
	return false;
}

const struct proc_object *proc_data_object(struct procs *ps, struct proc *p, uint64_t addr,
					   uint64_t *vaddr)
{
	for (unsigned int i = p->maps.n; i-- > 0;) {
		struct proc_map *m = &p->maps.a[i];
		const struct proc_object *o = proc_object(ps, p, m);
		const struct proc_segment *s = code_of(o, m);

		if (!s)
			continue;
		*vaddr = addr - bias_of(s, m);
		if (has_address(o, *vaddr))
			return o;
	}
	return NULL;
}

const struct proc_sym *proc_data_named(struct procs *ps, const struct proc_object *o,
				       const char *name, bool *is_ambiguous)
{
	const struct proc_sym *res = NULL;

	*is_ambiguous = false;
	for (unsigned int i = 0; i < o->data.n; i++) {
		const struct proc_sym *sym = &o->data.a[i];

		if (strcmp(sym->name, name) != 0 &&
		    (!strchr(name, ':') || strcmp(proc_source_name(ps, sym->name), name) != 0))
			continue;
		*is_ambiguous = *is_ambiguous || (res && res->addr != sym->addr);
		res = sym;
	}
	return *is_ambiguous ? NULL : res;
}

uint64_t proc_data_addr(const struct proc_object *o, const struct proc_map *m, uint64_t vaddr)
{
	const struct proc_segment *s = code_of(o, m);

	return s && has_address(o, vaddr) ? vaddr + bias_of(s, m) : 0;
}

/* ---- places ---- */

/* On another machine, its object is unknown. */
static bool is_in_vdso(const struct proc *p, uint64_t addr)
{
	return !p->far && addr >= p->vdso.start && addr < p->vdso.end;
}

struct proc_map *proc_map_at(const struct proc *p, uint64_t addr)
{
	for (unsigned int i = p->maps.n; i-- > 0;)
		if (addr >= p->maps.a[i].start && addr < p->maps.a[i].end)
			return &p->maps.a[i];
	return NULL;
}

bool proc_place(struct procs *ps, struct proc *p, uint64_t addr, struct proc_place *at)
{
	at->map = proc_map_at(p, addr);
	if (!at->map && !is_in_vdso(p, addr)) {
		proc_read_again(p);
		at->map = proc_map_at(p, addr);
	}
	if (!at->map && is_in_vdso(p, addr))
		at->map = &p->vdso;
	if (!at->map)
		return false;
	at->object = proc_object(ps, p, at->map);
	at->off = at->vaddr = addr - at->map->start + at->map->off;
	at->in_segment = proc_vaddr(at->object, at->off, &at->vaddr);
	return true;
}

static bool is_among(const struct proc_range *ranges, unsigned int n, uint64_t addr)
{
	for (unsigned int i = 0; i < n; i++)
		if (addr >= ranges[i].start && addr < ranges[i].end)
			return true;
	return false;
}

bool proc_has_code(struct procs *ps, struct proc *p, uint64_t addr)
{
	struct proc_place at;

	return proc_place(ps, p, addr, &at) || (addr >= p->vdso.start && addr < p->vdso.end) ||
	       is_among(p->made.a, p->made.n, addr) || is_among(p->reserved.a, p->reserved.n, addr);
}

/* The end of a function without a size is unknown: constants may follow. */
const struct proc_sym *proc_place_sym(const struct proc_place *at)
{
	const struct proc_sym *sym = at->in_segment ? proc_sym_at(at->object, at->vaddr) : NULL;
	const struct proc_sym *data = NULL;

	if (!sym || (!sym->size && sym->addr != at->vaddr))
		data = proc_data_at(at->object, at->vaddr);
	return data ? data : sym;
}
