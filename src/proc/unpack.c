/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unpack.c: a jail for each compressed part, which a copy of dtrace has in memory already.  zlib
 * and liblzma write into pieces, so that a small input cannot ask for much memory at once.
 */
#include <lzma.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/library.h"
#include "base/mem.h"
#include "proc/jail.h"
#include "proc/unpack.h"

#define LIBRARY	    "liblzma.so.5"
#define PIECE	    65536
#define SECONDS	    3		 /* of processor time for one part */
#define PACKED_MAX  (32U << 20)	 /* bytes of a compressed part */
#define SYMBOLS_MAX (32U << 20)	 /* bytes of a file in .gnu_debugdata; most have less than one */
#define XZ_MEMORY   (128U << 20) /* bytes that liblzma may use; xz -9 needs half */
#define ALL_MAX	    (1ULL << 30) /* bytes of all parts of files that root does not own */

/* Older linkers write "ZLIB", the size in 8 bytes with the highest first, and the data. */
#define OLD_MAGIC "ZLIB"
#define OLD_HEAD  12

static const char damaged[] = "its compressed part is damaged or too large";

#define FUNCTIONS(X) X(lzma_stream_decoder) X(lzma_code) X(lzma_end)

struct unpack_xz {
	void *lib;
	LIBRARY_MEMBERS(FUNCTIONS)
};

const struct unpack_xz *unpack_xz_open(void)
{
	struct unpack_xz *xz = mem_alloc(sizeof(*xz));

	if (library_open(xz, LIBRARY, FUNCTIONS))
		return xz;
	unpack_xz_close(xz);
	return NULL;
}

void unpack_xz_close(const struct unpack_xz *xz)
{
	if (xz)
		library_close(xz);
	mem_free((void *)xz);
}

/* ---- inside ---- */

static bool inflate_all(const char *bytes, size_t n, size_t max, struct buf *to)
{
	z_stream z = {.next_in = (unsigned char *)bytes, .avail_in = (uInt)n};
	unsigned char piece[PIECE];
	int r = inflateInit(&z);

	while (r == Z_OK) {
		z.next_out = piece;
		z.avail_out = sizeof(piece);
		r = inflate(&z, Z_NO_FLUSH);
		if (sizeof(piece) - z.avail_out > max - to->n)
			r = Z_BUF_ERROR;
		else
			buf_add(to, piece, sizeof(piece) - z.avail_out);
	}
	inflateEnd(&z);
	return r == Z_STREAM_END;
}

static bool decode_xz(const struct unpack_xz *xz, const char *bytes, size_t n, size_t max,
		      struct buf *to)
{
	lzma_stream s = LZMA_STREAM_INIT;
	uint8_t piece[PIECE];
	lzma_ret r = xz->lzma_stream_decoder(&s, XZ_MEMORY, 0);

	s.next_in = (const uint8_t *)bytes;
	s.avail_in = n;
	while (r == LZMA_OK) {
		s.next_out = piece;
		s.avail_out = sizeof(piece);
		r = xz->lzma_code(&s, LZMA_FINISH);
		if (sizeof(piece) - s.avail_out > max - to->n)
			r = LZMA_BUF_ERROR;
		else
			buf_add(to, piece, sizeof(piece) - s.avail_out);
	}
	xz->lzma_end(&s);
	return r == LZMA_STREAM_END;
}

bool unpack_bytes(const struct unpack_xz *xz, enum unpack_format format, const char *bytes,
		  size_t n, size_t max, struct buf *to)
{
	if (n > PACKED_MAX)
		return false;
	switch (format) {
	case UNPACK_ZLIB:
		return inflate_all(bytes, n, max, to);
	case UNPACK_XZ:
		return decode_xz(xz, bytes, n, max, to);
	}
	return false;
}

struct packed {
	const struct unpack_xz *xz;
	enum unpack_format format;
	const char *bytes;
	size_t n, max;
};

static void answer(void *ctx, const void *question, size_t n, struct buf *to)
{
	const struct packed *p = ctx;

	(void)question;
	(void)n;
	if (!unpack_bytes(p->xz, p->format, p->bytes, p->n, p->max, to))
		buf_reset(to);
}

/* ---- outside ---- */

/* Returns NULL, or why it failed. */
static const char *unpack(const struct image *im, struct packed *p, struct debug_dir *dir,
			  struct buf *to)
{
	struct jail *j;
	struct stat st;
	const char *error = NULL;
	bool is_free = fstat(im->fd, &st) == 0 && st.st_uid == 0;

	if (!is_free && dir->unpacked > ALL_MAX)
		return "compressed parts of other files have used the time for it";
	j = jail_new(&(struct jail_reader){.answer = answer, .ctx = p, .seconds = SECONDS});
	if (!jail_ask(j, "", 0, to))
		error = jail_error(j);
	else if (!to->n)
		error = damaged;
	jail_free(j);
	if (!is_free)
		dir->unpacked += error ? p->max : to->n;
	return error;
}

/* As the first length in a table of .debug_frame, "ZLIB" would be more than a gigabyte. */
static bool is_old_form(const Elf64_Shdr *sh, const char *bytes)
{
	return sh->sh_size > OLD_HEAD && memcmp(bytes, OLD_MAGIC, strlen(OLD_MAGIC)) == 0;
}

const char *unpack_section(const struct image *im, const Elf64_Shdr *sh, size_t max,
			   struct debug_dir *dir, struct buf *to)
{
	bool is_packed = sh->sh_flags & SHF_COMPRESSED;
	char *bytes = image_section(im, sh, is_packed && max > PACKED_MAX ? PACKED_MAX : max);
	struct packed p = {.format = UNPACK_ZLIB, .max = max};
	const char *error = NULL;
	Elf64_Chdr head = {0};

	buf_reset(to);
	if (!bytes)
		return damaged;
	if (is_packed && sh->sh_size > sizeof(head))
		memcpy(&head, bytes, sizeof(head));
	if (is_packed) {
		p.bytes = bytes + sizeof(head);
		p.n = sh->sh_size - sizeof(head);
	} else if (is_old_form(sh, bytes)) {
		p.bytes = bytes + OLD_HEAD;
		p.n = sh->sh_size - OLD_HEAD;
	}
	if (is_packed && (im->is_32 || head.ch_type != ELFCOMPRESS_ZLIB))
		error = "its compressed part is not in the format of zlib";
	else if (p.bytes)
		error = unpack(im, &p, dir, to);
	else
		buf_add(to, bytes, sh->sh_size);
	mem_free(bytes);
	return error;
}

static int file_of(const struct buf *b)
{
	int fd = memfd_create("debugdata", MFD_CLOEXEC);

	if (fd < 0 || write(fd, b->s, b->n) == (ssize_t)b->n)
		return fd;
	close(fd);
	return -1;
}

int unpack_symbols(const struct image *im, struct debug_dir *dir, const char **why)
{
	const Elf64_Shdr *sh = image_find(im, ".gnu_debugdata");
	char *bytes = sh ? image_section(im, sh, PACKED_MAX) : NULL;
	struct packed p = {.format = UNPACK_XZ, .bytes = bytes, .max = SYMBOLS_MAX};
	struct buf b = {0};
	int fd = -1;

	*why = sh && !bytes ? damaged : NULL;
	if (!bytes)
		return -1;
	p.n = sh->sh_size;
	p.xz = unpack_xz_open();
	*why =
	    p.xz ? unpack(im, &p, dir, &b) : ".gnu_debugdata needs " LIBRARY ", which is missing";
	if (!*why)
		fd = file_of(&b);
	unpack_xz_close(p.xz);
	buf_free(&b);
	mem_free(bytes);
	return fd;
}
