/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * file.c: see file.h.
 *
 * A name is followed with descriptors (O_PATH, O_NOFOLLOW), so the folder that was checked is the
 * folder that is used.  openat2(2) could refuse all links at once, but links of root are usual
 * (/var/run, /lib), and Linux 5.5 lacks the call.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdint.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"

#define LINKS_MAX 40 /* path_resolution(7) */
#define COMMON	  (O_CLOEXEC | O_NOCTTY)

/* Why the last function for output refused a file; NULL: errno has the reason. */
static _Thread_local const char *refusal;

static int refuse(const char *why, int err)
{
	refusal = why;
	errno = err;
	return -1;
}

/* Closes a descriptor, and keeps errno. */
static void drop(int fd)
{
	int err = errno;

	if (fd >= 0)
		close(fd);
	errno = err;
}

/* ---- names that dtrace or its user chooses ---- */

int file_open(const char *path, int flags)
{
	return open(path, flags | COMMON);
}

FILE *file_stream(const char *path)
{
	return fopen(path, "re");
}

int file_handle(int at, const char *name, int flags)
{
	return openat(at, name, O_PATH | O_CLOEXEC | flags);
}

/* ---- following a name ---- */

/* A name in a folder. */
struct place {
	int folder; /* a handle; -1: none */
	char name[NAME_MAX + 1];
	struct stat st; /* st_mode is 0 if no file has this name */
	bool is_given;	/* a link of /proc: the kernel knows the file */
};

/* The rest of a path, and the number of links before it. */
struct rest {
	char text[PATH_MAX];
	unsigned int links;
};

/* Replaces the folder. */
static void enter(struct place *p, int folder)
{
	drop(p->folder);
	p->folder = folder;
}

/* Goes back to the root if the rest begins there.  Returns false with errno set. */
static bool begin(struct place *p, const struct rest *r)
{
	if (*r->text == '/' || p->folder < 0)
		enter(p, file_handle(AT_FDCWD, *r->text == '/' ? "/" : ".", O_DIRECTORY));
	return p->folder >= 0;
}

/* Moves the next name of the rest to P.  Returns false with errno set if it is too long. */
static bool take_name(struct place *p, struct rest *r)
{
	char *start = r->text + strspn(r->text, "/");
	size_t n = strcspn(start, "/");

	if (n > NAME_MAX) {
		errno = ENAMETOOLONG;
		return false;
	}
	memcpy(p->name, start, n);
	p->name[n] = '\0';
	memmove(r->text, start + n, strlen(start + n) + 1);
	return true;
}

static bool is_ours(const struct stat *st)
{
	return st->st_uid == geteuid() || st->st_uid == 0;
}

static bool is_in_proc(int fd)
{
	struct statfs fs;

	return fstatfs(fd, &fs) == 0 && fs.f_type == PROC_SUPER_MAGIC;
}

/* Puts the target of a link in front of the rest.  Returns false with errno set. */
static bool follow(struct place *p, struct rest *r, int link)
{
	char target[PATH_MAX];
	size_t left = strlen(r->text);
	ssize_t n = readlinkat(link, "", target, sizeof(target));

	if (!is_ours(&p->st)) {
		refuse("it is a symbolic link of another user, or has one in its path", ELOOP);
		return false;
	}
	if (n < 0)
		return false;
	if (++r->links > LINKS_MAX || (size_t)n + left >= sizeof(r->text)) {
		errno = r->links > LINKS_MAX ? ELOOP : ENAMETOOLONG;
		return false;
	}
	memmove(r->text + n, r->text, left + 1);
	memcpy(r->text, target, (size_t)n);
	return begin(p, r);
}

/*
 * Handles the name that was taken from the path.  Returns 1 to go on with the rest, 0 at the end,
 * -1 with errno set.
 */
static int step(struct place *p, struct rest *r)
{
	bool is_last = r->text[strspn(r->text, "/")] == '\0';
	int fd = file_handle(p->folder, p->name, O_NOFOLLOW), more = 0;

	if (fd < 0) {
		p->st = (struct stat){0};
		return errno == ENOENT && is_last ? 0 : -1;
	}
	if (fstat(fd, &p->st) != 0) {
		more = -1;
	} else if (S_ISLNK(p->st.st_mode) && !is_in_proc(fd)) {
		more = follow(p, r, fd) ? 1 : -1;
	} else if (S_ISLNK(p->st.st_mode) && !is_ours(&p->st)) {
		more = refuse("its path leads through a process of another user", ELOOP);
	} else if (S_ISLNK(p->st.st_mode) && is_last) {
		p->is_given = true;
	} else if (!is_last) {
		enter(p, file_handle(p->folder, p->name,
				     O_DIRECTORY | (S_ISLNK(p->st.st_mode) ? 0 : O_NOFOLLOW)));
		more = p->folder < 0 ? -1 : 1;
	}
	drop(fd);
	return more;
}

/*
 * Finds the folder of a path, and the last name.  Returns false with errno set.  Call place_free in
 * any case.
 */
static bool find_place(struct place *p, const char *path)
{
	struct rest r = {0};
	int more = 1;

	*p = (struct place){.folder = -1};
	refusal = NULL;
	if (!*path || strlen(path) >= sizeof(r.text)) {
		errno = *path ? ENAMETOOLONG : ENOENT;
		return false;
	}
	strcpy(r.text, path);
	if (!begin(p, &r))
		return false;
	while (more > 0) {
		if (!take_name(p, &r))
			return false;
		if (*p->name)
			more = step(p, &r);
		else
			more = refuse(NULL, EISDIR);
	}
	return more == 0;
}

static void place_free(struct place *p)
{
	drop(p->folder);
}

/* ---- reading ---- */

/* Returns true for file systems whose files the kernel generates.  Reading can have an effect. */
static bool is_generated(int fd)
{
	static const unsigned int types[] = {
	    PROC_SUPER_MAGIC,	SYSFS_MAGIC,	     TRACEFS_MAGIC,  DEBUGFS_MAGIC,
	    CGROUP_SUPER_MAGIC, CGROUP2_SUPER_MAGIC, BPF_FS_MAGIC,   SECURITYFS_MAGIC,
	    SELINUX_MAGIC,	SMACK_MAGIC,	     BINFMTFS_MAGIC, RDTGROUP_SUPER_MAGIC,
	    PSTOREFS_MAGIC,	EFIVARFS_MAGIC,
	};
	struct statfs fs;

	if (fstatfs(fd, &fs) != 0)
		return true;
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if ((unsigned int)fs.f_type == types[i])
			return true;
	return false;
}

/* Opens the file of a handle, which it closes.  Opening a device could have an effect. */
static int open_checked(int handle, bool may_be_generated, struct stat *st)
{
	char link[32];
	int fd = -EINVAL;

	if (handle < 0)
		return -errno;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", handle);
	if (fstat(handle, st) != 0)
		fd = -errno;
	else if (S_ISREG(st->st_mode) && (may_be_generated || !is_generated(handle)))
		fd = file_open(link, O_RDONLY | O_NONBLOCK);
	if (fd == -1)
		fd = -errno;
	close(handle);
	return fd;
}

int file_open_ordinary(const char *path)
{
	struct stat st;

	return open_checked(file_handle(AT_FDCWD, path, 0), true, &st);
}

int file_open_own(const char *path, uid_t uid)
{
	struct stat st;
	int fd = open_checked(file_handle(AT_FDCWD, path, O_NOFOLLOW), true, &st);

	if (fd < 0 || st.st_uid == uid || st.st_uid == 0)
		return fd;
	close(fd);
	return -EACCES;
}

int file_open_untrusted(const char *path)
{
	struct place p;
	struct stat st;
	int fd = -1;

	if (find_place(&p, path))
		fd = file_handle(p.folder, p.name, O_NOFOLLOW);
	place_free(&p);
	return open_checked(fd, false, &st);
}

/* ---- output ---- */

/* Returns true if only this user and root can make names in the folder. */
static bool is_folder_ours(int folder)
{
	struct stat st;

	return fstat(folder, &st) == 0 && is_ours(&st) && !(st.st_mode & (S_IWGRP | S_IWOTH));
}

/* Returns why the file that was opened at a place must not be written; NULL: it may. */
static const char *why_not(const struct place *p, const struct stat *st)
{
	if (p->is_given || (!S_ISREG(st->st_mode) && !S_ISFIFO(st->st_mode)))
		return NULL;
	if (!is_ours(st))
		return "it belongs to another user";
	if (S_ISREG(st->st_mode) && (st->st_mode & (S_ISUID | S_ISGID)))
		return "it is a set-user-ID or set-group-ID file";
	if (st->st_nlink > 1 && !is_folder_ours(p->folder))
		return "it has another name, in a folder that other users can write to";
	return NULL;
}

/* Opens what is at a place, for appending.  A FIFO needs a reader. */
static int open_existing(const struct place *p)
{
	int flags = O_WRONLY | O_APPEND | O_NONBLOCK | COMMON | (p->is_given ? 0 : O_NOFOLLOW);
	int fd = openat(p->folder, p->name, flags);
	const char *why;
	struct stat st;

	if (fd < 0)
		return S_ISFIFO(p->st.st_mode) && errno == ENXIO
			   ? refuse("it is a FIFO that no process reads", ENXIO)
			   : -1;
	why = fstat(fd, &st) == 0 ? why_not(p, &st) : strerror(errno);
	if (why)
		refuse(why, EACCES);
	else if (fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK) == 0)
		return fd;
	drop(fd);
	return -1;
}

/* Creates a file under a name that no file has.  The umask sets its permissions. */
static int create(int folder, const char *name, int flags)
{
	return openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | COMMON | flags, 0666);
}

/* Creates a file beside a place, and sets its name, which is at most NAME_MAX bytes. */
static int create_beside(const struct place *p, char name[NAME_MAX + 1])
{
	uint32_t number;
	int fd;

	do {
		if (getrandom(&number, sizeof(number), 0) != sizeof(number))
			return -1;
		snprintf(name, NAME_MAX + 1, "%.*s.%08x", NAME_MAX - 9, p->name, number);
		fd = create(p->folder, name, 0);
	} while (fd < 0 && errno == EEXIST);
	return fd;
}

static bool is_replaceable(const struct place *p)
{
	return !p->is_given && (!p->st.st_mode || S_ISREG(p->st.st_mode));
}

/* Gives a file that create_beside made the name of the place.  Returns false with errno set. */
static bool publish(const struct place *p, const char *name)
{
	int err;

	if (renameat(p->folder, name, p->folder, p->name) == 0)
		return true;
	err = errno;
	unlinkat(p->folder, name, 0);
	errno = err;
	return false;
}

/*
 * Opens the file of a place in a folder where no file can be made or renamed, such as a file that
 * is a mount point, and empties it.
 */
static int empty_existing(const struct place *p)
{
	int fd = p->st.st_mode ? open_existing(p) : -1;

	if (fd >= 0 && ftruncate(fd, 0) == 0)
		return fd;
	drop(fd);
	return -1;
}

static int open_new(const struct place *p)
{
	char name[NAME_MAX + 1];
	int fd = create_beside(p, name);

	if (fd >= 0 && publish(p, name))
		return fd;
	drop(fd);
	return empty_existing(p);
}

static int open_to_append(const struct place *p)
{
	int fd = p->st.st_mode ? -1 : create(p->folder, p->name, O_APPEND);

	return fd >= 0 || (!p->st.st_mode && errno != EEXIST) ? fd : open_existing(p);
}

/* Returns a stream that owns fd; NULL: fd is no descriptor, or there is no memory. */
static FILE *stream(int fd, const char *mode)
{
	FILE *f = fd < 0 ? NULL : fdopen(fd, mode);

	if (!f)
		drop(fd);
	return f;
}

FILE *file_write(const char *path, enum file_mode mode)
{
	struct place p;
	int fd = -1;

	if (find_place(&p, path)) {
		if (mode == FILE_APPEND)
			fd = open_to_append(&p);
		else
			fd = is_replaceable(&p) ? open_new(&p) : open_existing(&p);
	}
	place_free(&p);
	return stream(fd, mode == FILE_APPEND ? "a" : "w");
}

bool file_write_all(int fd, const char *bytes, size_t n)
{
	while (n) {
		ssize_t done = write(fd, bytes, n);

		if (done < 0 && errno != EINTR)
			return false;
		bytes += done > 0 ? done : 0;
		n -= done > 0 ? (size_t)done : 0;
	}
	return true;
}

/* Writes, and closes the descriptor.  Some file systems report errors only then. */
static bool write_and_close(int fd, const void *bytes, size_t n)
{
	bool ok = fd >= 0 && file_write_all(fd, bytes, n);

	if (!ok)
		drop(fd);
	return ok && close(fd) == 0;
}

static bool replace(const struct place *p, const void *bytes, size_t n)
{
	char name[NAME_MAX + 1];
	int fd = create_beside(p, name);

	if (fd < 0)
		return write_and_close(empty_existing(p), bytes, n);
	if (!write_and_close(fd, bytes, n)) {
		int err = errno;

		unlinkat(p->folder, name, 0);
		errno = err;
		return false;
	}
	return publish(p, name) || write_and_close(empty_existing(p), bytes, n);
}

bool file_replace(const char *path, const void *bytes, size_t n)
{
	struct place p;
	bool ok = false;

	if (find_place(&p, path))
		ok = is_replaceable(&p) ? replace(&p, bytes, n)
					: write_and_close(open_existing(&p), bytes, n);
	place_free(&p);
	return ok;
}

bool file_may_replace(const char *path)
{
	char name[NAME_MAX + 1];
	struct place p;
	bool ok = find_place(&p, path);
	int fd = -1;

	if (ok && is_replaceable(&p)) {
		fd = create_beside(&p, name);
		if (fd >= 0)
			unlinkat(p.folder, name, 0);
		else
			fd = p.st.st_mode ? open_existing(&p) : -1;
		ok = fd >= 0;
		drop(fd);
	}
	place_free(&p);
	return ok;
}

bool file_make_folder(const char *path)
{
	struct place p;
	bool ok = find_place(&p, path);

	if (ok && !S_ISDIR(p.st.st_mode))
		ok = mkdirat(p.folder, p.name, 0777) == 0;
	place_free(&p);
	return ok;
}

bool file_is_numbered(const char *path)
{
	return strstr(path, "%n") != NULL;
}

/* Creates the file of a numbered path. */
static int create_numbered(const char *path)
{
	struct place p;
	int fd = -1;

	if (find_place(&p, path)) {
		errno = EEXIST;
		fd = p.st.st_mode ? -1 : create(p.folder, p.name, O_APPEND);
	}
	place_free(&p);
	return fd;
}

FILE *file_write_next(const char *path, unsigned int *number)
{
	const char *at = strstr(path, "%n");
	struct buf name = {0};
	int fd;

	do {
		name.n = 0;
		buf_add(&name, path, (size_t)(at - path));
		buf_printf(&name, "%u%s", ++*number, at + 2);
		fd = create_numbered(buf_str(&name));
	} while (fd < 0 && errno == EEXIST);
	buf_free(&name);
	return stream(fd, "a");
}

const char *file_why(void)
{
	return refusal ? refusal : strerror(errno);
}
