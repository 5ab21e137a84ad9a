/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * debug.c: searches separate debug files.  The file is not trusted: an id becomes digits, and a
 * link is a name without a slash.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/buf.h"
#include "base/file.h"
#include "proc/debug.h"

#define DIR	     "/usr/lib/debug"
#define ID_MAX	     64
#define NOTES_MAX    4096 /* bytes of a section with the id */
#define LINK_MAX     256
#define SUM_MAX	     (1ULL << 30) /* bytes of a file for a checksum */
#define SUMS_MAX     (1ULL << 30) /* bytes of all that files of other users name */
#define GNU_BUILD_ID 3		  /* NT_GNU_BUILD_ID */

struct build_id {
	uint8_t bytes[ID_MAX];
	size_t n;
};

/* Returns a whole section by its name, or NULL. */
static char *section(const struct image *im, const char *name, uint64_t max, uint64_t *size)
{
	const Elf64_Shdr *sh = image_find(im, name);

	*size = sh ? sh->sh_size : 0;
	return sh ? image_section(im, sh, max) : NULL;
}

/* The first note of the section is the id. */
static bool read_id(const struct image *im, struct build_id *id)
{
	uint64_t size = 0;
	char *note = section(im, ".note.gnu.build-id", NOTES_MAX, &size);
	Elf64_Nhdr h;
	bool ok = false;

	if (note && size >= sizeof(h) + 4) {
		memcpy(&h, note, sizeof(h));
		ok = h.n_type == GNU_BUILD_ID && h.n_namesz == 4 && h.n_descsz > 1 &&
		     h.n_descsz <= ID_MAX && h.n_descsz <= size - sizeof(h) - 4;
	}
	if (ok) {
		id->n = h.n_descsz;
		memcpy(id->bytes, note + sizeof(h) + 4, id->n);
	}
	mem_free(note);
	return ok;
}

char *debug_build_id(const struct image *im)
{
	struct buf b = {0};
	struct build_id id;

	if (!read_id(im, &id))
		return NULL;
	for (size_t i = 0; i < id.n; i++)
		buf_printf(&b, "%02x", id.bytes[i]);
	return b.s;
}

/* Reads the id of another file.  Returns false if it has none. */
static bool id_of(int fd, struct build_id *id)
{
	struct image im;
	bool ok = image_read(&im, fd) && read_id(&im, id);

	image_free(&im);
	return ok;
}

static bool is_same(const struct build_id *a, const struct build_id *b)
{
	return a->n == b->n && memcmp(a->bytes, b->bytes, a->n) == 0;
}

/* Opens the file if it has this id. */
static int open_with_id(const char *path, const struct build_id *want)
{
	int fd = file_open_untrusted(path);
	struct build_id id;

	if (fd < 0)
		return -1;
	if (id_of(fd, &id) && is_same(&id, want))
		return fd;
	close(fd);
	return -1;
}

static int open_by_id(const struct build_id *id, const char *dir)
{
	struct buf path = {0};
	int fd;

	buf_printf(&path, "%s/.build-id/", dir);
	for (size_t i = 0; i < id->n; i++)
		buf_printf(&path, i ? "%02x" : "%02x/", id->bytes[i]);
	buf_puts(&path, ".debug");
	fd = open_with_id(buf_str(&path), id);
	buf_free(&path);
	return fd;
}

/* Properties that identify a debug file. */
struct debug_link {
	const char *name;
	uint32_t sum;
	bool has_id;
	struct build_id id;
	bool is_of_root; /* the file that asks */
};

/*
 * Returns true if the checksum of a file is within the budget of the file that asks for it, and
 * adds the cost.  Any number of files can name one file of root.
 */
static bool may_sum(int fd, const struct debug_link *link, struct debug_dir *dir)
{
	uint64_t room = link->is_of_root ? SUM_MAX : SUMS_MAX - dir->summed;
	struct stat st;

	if (fstat(fd, &st) != 0)
		return false;
	if ((uint64_t)st.st_size > room) {
		dir->is_cut = true;
		return false;
	}
	if (!link->is_of_root)
		dir->summed += (uint64_t)st.st_size;
	return true;
}

/* Compares the checksum of the whole file (CRC-32 of zlib) with the one of .gnu_debuglink. */
static bool has_sum(int fd, uint32_t want)
{
	uint32_t sum = (uint32_t)crc32(0, NULL, 0);
	unsigned char chunk[65536];
	uint64_t done = 0;
	ssize_t n;

	while (done < SUM_MAX && (n = pread(fd, chunk, sizeof(chunk), (off_t)done)) > 0) {
		sum = (uint32_t)crc32(sum, chunk, (uInt)n);
		done += (uint64_t)n;
	}
	return sum == want;
}

static int open_linked(const char *path, const struct debug_link *link, struct debug_dir *dir)
{
	int fd = file_open_untrusted(path);
	struct build_id id;
	bool ok;

	if (fd < 0)
		return -1;
	if (link->has_id && id_of(fd, &id))
		ok = is_same(&id, &link->id);
	else
		ok = may_sum(fd, link, dir) && has_sum(fd, link->sum);
	if (ok)
		return fd;
	close(fd);
	return -1;
}

static int open_beside(const char *path, const struct debug_link *link, struct debug_dir *dir)
{
	const char *slash = strrchr(path, '/');
	const struct {
		const char *in, *below;
	} places[] = {{"", "/"}, {"", "/.debug/"}, {dir->path, "/"}};
	struct buf b = {0};
	int fd = -1;

	for (unsigned int i = 0; slash && i < 3 && fd < 0; i++) {
		buf_reset(&b);
		buf_printf(&b, "%s%.*s%s%s", places[i].in, (int)(slash - path), path,
			   places[i].below, link->name);
		fd = open_linked(buf_str(&b), link, dir);
	}
	buf_free(&b);
	return fd;
}

/* The section has a name, padded to a multiple of four, and the checksum. */
static int open_by_link(const struct image *im, const char *path, struct debug_link *link,
			struct debug_dir *dir)
{
	uint64_t size = 0;
	char *name = section(im, ".gnu_debuglink", LINK_MAX, &size);
	size_t at = name ? (strlen(name) + 4) & ~(size_t)3 : 0;
	int fd = -1;

	if (name && *name && !strchr(name, '/') && at + sizeof(link->sum) <= size) {
		link->name = name;
		memcpy(&link->sum, name + at, sizeof(link->sum));
		fd = open_beside(path, link, dir);
	}
	mem_free(name);
	return fd;
}

int debug_open(const struct image *im, const char *path, struct debug_dir *dir)
{
	struct debug_link link = {0};
	struct stat st;
	int fd = -1;

	link.has_id = read_id(im, &link.id);
	link.is_of_root = fstat(im->fd, &st) == 0 && st.st_uid == 0;
	if (link.has_id)
		fd = open_by_id(&link.id, dir->path);
	return fd >= 0 ? fd : open_by_link(im, path, &link, dir);
}

/* A relative name starts at the folder of the referring file. */
static int open_named(int fd, const char *name, const struct build_id *id)
{
	char link[64], path[PATH_MAX];
	struct buf b = {0};
	ssize_t n;

	if (*name != '/') {
		snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
		n = readlink(link, path, sizeof(path) - 1);
		path[n > 0 ? n : 0] = '\0';
		if (strrchr(path, '/'))
			*strrchr(path, '/') = '\0';
		buf_printf(&b, "%s/", path);
	}
	buf_puts(&b, name);
	fd = open_with_id(buf_str(&b), id);
	buf_free(&b);
	return fd;
}

/* The section has a name with its NUL, and the build id. */
int debug_shared_open(int fd, const struct debug_dir *dir)
{
	struct build_id id;
	uint64_t size = 0;
	struct image im;
	char *name =
	    image_read(&im, fd) ? section(&im, ".gnu_debugaltlink", PATH_MAX, &size) : NULL;
	size_t n = name ? strlen(name) + 1 : 0;
	int res = -1;

	if (n > 1 && n < size && size - n <= ID_MAX) {
		id.n = size - n;
		memcpy(id.bytes, name + n, id.n);
		res = open_by_id(&id, dir->path);
		if (res < 0)
			res = open_named(fd, name, &id);
	}
	mem_free(name);
	image_free(&im);
	return res;
}

void debug_failed(const struct debug_dir *dir, const char *path, const char *why)
{
	if (dir->failed)
		dir->failed(dir->failed_arg, path, why);
}

static bool has_info(int fd)
{
	struct image im;
	bool has = image_read(&im, fd) &&
		   (image_find(&im, ".debug_info") || image_find(&im, ".zdebug_info"));

	image_free(&im);
	return has;
}

int debug_info_open(int fd, const char *path, struct debug_dir *dir)
{
	struct image im;
	int other = -1;

	if (has_info(fd))
		return fcntl(fd, F_DUPFD_CLOEXEC, 0);
	if (image_read(&im, fd))
		other = debug_open(&im, path, dir);
	image_free(&im);
	if (other < 0 || has_info(other))
		return other;
	close(other);
	return -1;
}
