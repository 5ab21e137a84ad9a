/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cgroup.c: the place of a cgroup in the hierarchy of version 2.
 *
 * A path shows only the part of the hierarchy below the root of its mount.  A bind mount or a mount
 * in a cgroup namespace begins at any cgroup.  /proc/self/mountinfo names this cgroup, relative to
 * the root of the namespace of dtrace.  The depth of that root is in the kernel only
 * (struct cgroup_namespace), so a small program reads it.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/file.h"
#include "kern/priv.h"
#include "sys/bpf.h"
#include "sys/machine.h"

#define FIRST_NS 0xeffffffbU /* PROC_CGROUP_INIT_INO, include/linux/proc_ns.h */
#define ROOT_ID	 1	     /* a new hierarchy numbers its root first (kernfs_create_root) */

#define READ_POINTER(member_off)                                               \
	INSN(BPF_ALU64 | BPF_MOV | BPF_X, 3, 0, 0, 0),                         \
	    INSN(BPF_ALU64 | BPF_ADD | BPF_K, 3, 0, 0, (int32_t)(member_off)), \
	    INSN(BPF_ALU64 | BPF_MOV | BPF_X, 1, 10, 0, 0),                    \
	    INSN(BPF_ALU64 | BPF_ADD | BPF_K, 1, 0, 0, -8), MOV_IMM(2, 8),     \
	    INSN(BPF_ST | BPF_DW | BPF_MEM, 10, 0, -8, 0),                     \
	    INSN(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_probe_read_kernel),     \
	    INSN(BPF_LDX | BPF_DW | BPF_MEM, 0, 10, -8, 0)

static int load_depth(struct kern *k, int map)
{
	uint32_t proxy, ns, set, group, level;

	if (!kern_btf_member(k, "task_struct", "nsproxy", &proxy) ||
	    !kern_btf_member(k, "nsproxy", "cgroup_ns", &ns) ||
	    !kern_btf_member(k, "cgroup_namespace", "root_cset", &set) ||
	    !kern_btf_member(k, "css_set", "dfl_cgrp", &group) ||
	    !kern_btf_member(k, "cgroup", "level", &level))
		return -ENOENT;

	const struct bpf_insn insns[] = {
	    INSN(BPF_LD | BPF_IMM | BPF_DW, 9, BPF_PSEUDO_MAP_VALUE, 0, map),
	    INSN(0, 0, 0, 0, 0),
	    INSN(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_get_current_task),
	    READ_POINTER(proxy),
	    READ_POINTER(ns),
	    READ_POINTER(set),
	    READ_POINTER(group),
	    READ_POINTER(level),
	    INSN(BPF_STX | BPF_W | BPF_MEM, 9, 0, 0, 0),
	    MOV_IMM(0, 0),
	    EXIT(),
	};
	struct sys_prog p = {.type = BPF_PROG_TYPE_RAW_TRACEPOINT,
			     .insns = insns,
			     .n = sizeof(insns) / sizeof(insns[0])};

	return sys_prog_load(k->machine, &p);
}

/* Returns the level of the root of dtrace's cgroup namespace; -1: unknown. */
static int depth_of_namespace(struct kern *k)
{
	const struct sys_map m = {.type = BPF_MAP_TYPE_ARRAY,
				  .name = "cgroupns",
				  .key_size = 4,
				  .value_size = 4,
				  .max_entries = 1};
	unsigned int number = 0;
	uint64_t none[1] = {0};
	uint32_t zero = 0;
	char link[64];
	int map, prog, level = -1;

	if (sys_readlink(k->machine, "/proc/self/ns/cgroup", link, sizeof(link)) <= 0 ||
	    sscanf(link, "cgroup:[%u]", &number) != 1 || number == FIRST_NS)
		return 0;
	map = sys_map_new(k->machine, &m);
	prog = map >= 0 ? load_depth(k, map) : -1;
	if (prog < 0 || sys_test_run(k->machine, prog, none, sizeof(none), -1) < 0 ||
	    sys_map_lookup(k->machine, map, &zero, sizeof(zero), &level, sizeof(level)) != 0)
		level = -1;
	if (prog >= 0)
		sys_close(k->machine, prog);
	if (map >= 0)
		sys_close(k->machine, map);
	return level;
}

/* Returns the number of the mount in which the directory lies; -1: unknown. */
static int mount_of(struct kern *k, int fd)
{
	struct buf b = {0};
	const char *at;
	char path[64];
	int res = -1;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	if (sys_read_file(k->machine, path, &b) && b.n) {
		at = strstr(b.s, "mnt_id:");
		if (at)
			res = atoi(at + strlen("mnt_id:"));
	}
	buf_free(&b);
	return res;
}

/* The number of folders in a path.  A part ".." leads back. */
static int count_parts(const char *path)
{
	int n = 0;

	for (const char *p = path, *end; *p; p = end) {
		p += strspn(p, "/");
		end = p + strcspn(p, "/");
		if (end == p + 2 && p[0] == '.' && p[1] == '.')
			n--;
		else if (end > p)
			n++;
	}
	return n;
}

/* Returns the depth of a mount's root below the root of the cgroup namespace; false: unknown. */
static bool depth_of_mount(struct kern *k, int mount, int *depth)
{
	struct buf b = {0};
	char *line, *rest = NULL;
	bool ok = false;
	int id, at;

	if (!sys_read_file(k->machine, "/proc/self/mountinfo", &b) || !b.n)
		return false;
	for (line = strtok_r(b.s, "\n", &rest); line && !ok; line = strtok_r(NULL, "\n", &rest)) {
		ok = sscanf(line, "%d %*d %*s %n", &id, &at) == 1 && id == mount;
		if (ok) {
			line[at + (int)strcspn(line + at, " ")] = '\0';
			*depth = count_parts(line + at);
		}
	}
	buf_free(&b);
	return ok;
}

/* Climbs from fd, which it closes, to the root of the mount.  Returns a descriptor of the root, and
 * the number of steps. */
static int climb(struct kern *k, int fd, int mount, int *steps)
{
	struct stat at, up;

	for (*steps = 0; fd >= 0 && fstat(fd, &at) == 0; (*steps)++) {
		int parent = file_handle(fd, "..", O_DIRECTORY);

		if (parent < 0 || mount_of(k, parent) != mount || fstat(parent, &up) != 0 ||
		    (up.st_ino == at.st_ino && up.st_dev == at.st_dev)) {
			if (parent >= 0)
				close(parent);
			break;
		}
		close(fd);
		fd = parent;
	}
	return fd;
}

static char *path_of(struct kern *k, int fd)
{
	char link[64], path[4096];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof(path) - 1);
	path[n > 0 ? n : 0] = '\0';
	return arena_strdup(k->arena, path);
}

/* Fills in the members that follow from the mount. */
static const char *find_mount(struct kern *k, int fd, struct kern_cgroup *c)
{
	int mount = mount_of(k, fd), steps = 0, depth = 0, outer = 0;
	char *path = path_of(k, fd), *rest = path + strlen(path);
	int root = climb(k, fd, mount, &steps);
	struct stat st;

	if (mount < 0 || root < 0 || fstat(root, &st) != 0) {
		if (root >= 0)
			close(root);
		return "its mount cannot be read";
	}
	close(root);
	for (int i = 0; i < steps; i++)
		while (rest > path && *--rest != '/')
			continue;
	c->root_id = st.st_ino;
	c->rest = arena_strdup(k->arena, rest);
	*rest = '\0';
	c->root = rest > path ? path : "/";
	if (st.st_ino != ROOT_ID) {
		if (!depth_of_mount(k, mount, &depth))
			return "its mount is not in /proc/self/mountinfo";
		outer = depth_of_namespace(k);
		if (outer < 0)
			return "the kernel does not show the depth of this cgroup namespace";
	}
	c->root_level = (uint32_t)(outer + depth);
	c->level = c->root_level + (uint32_t)steps;
	return NULL;
}

const char *kern_cgroup_find(struct kern *k, const char *path, struct kern_cgroup *c)
{
	int fd = file_handle(AT_FDCWD, path, O_DIRECTORY);
	struct statfs fs;
	struct stat st;

	if (fd < 0 || fstatfs(fd, &fs) != 0 || fstat(fd, &st) != 0) {
		const char *why = strerror(errno);

		if (fd >= 0)
			close(fd);
		return why;
	}
	if (fs.f_type != CGROUP2_SUPER_MAGIC) {
		close(fd);
		return "not a cgroup of version 2";
	}
	c->id = st.st_ino;
	return find_mount(k, fd, c);
}
