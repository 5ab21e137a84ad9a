/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * image.c: reads ELF files with pread(2).  Structures of 32-bit files are widened.
 */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "proc/image.h"

/* Linkers make about ten segments.  Further ones than this are ignored. */
#define NAMES_MAX    (1 << 20) /* bytes of the names of sections */
#define SEGMENTS_MAX 64

/*
 * Programs in C++ have 50 to 200 bytes of names for each symbol.  A hole in a file costs its owner
 * nothing, but costs a reader memory.
 */
#define NAME_MEAN     1024
#define NAMES_FREE    (1 << 20) /* bytes of names that every table may have */
#define SYMBOLS_CHUNK 512

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define BYTE_ORDER_HERE ELFDATA2LSB
#else
#define BYTE_ORDER_HERE ELFDATA2MSB
#endif

/* A file can shrink at any time. */
bool image_bytes(const struct image *im, uint64_t off, void *to, size_t n)
{
	return off <= im->size && n <= im->size - off &&
	       pread(im->fd, to, n, (off_t)off) == (ssize_t)n;
}

/* Reads entry number i of a table.  The size of entries depends on the class. */
#define READ_ENTRY(im, off, i, wide, narrow)                                                    \
	((im)->is_32 ? image_bytes(im, (off) + (i) * sizeof(narrow), &(narrow), sizeof(narrow)) \
		     : image_bytes(im, (off) + (i) * sizeof(wide), &(wide), sizeof(wide)))

static bool read_header(struct image *im)
{
	unsigned char ident[EI_NIDENT];
	Elf32_Ehdr h;

	if (!image_bytes(im, 0, ident, EI_NIDENT) || memcmp(ident, ELFMAG, SELFMAG) != 0 ||
	    ident[EI_DATA] != BYTE_ORDER_HERE)
		return false;
	im->is_32 = ident[EI_CLASS] == ELFCLASS32;
	if (!im->is_32)
		return ident[EI_CLASS] == ELFCLASS64 &&
		       image_bytes(im, 0, &im->head, sizeof(im->head));
	if (!image_bytes(im, 0, &h, sizeof(h)))
		return false;
	im->head = (Elf64_Ehdr){.e_type = h.e_type,
				.e_machine = h.e_machine,
				.e_phoff = h.e_phoff,
				.e_phnum = h.e_phnum,
				.e_phentsize = h.e_phentsize,
				.e_shoff = h.e_shoff,
				.e_shnum = h.e_shnum,
				.e_shentsize = h.e_shentsize,
				.e_shstrndx = h.e_shstrndx};
	return true;
}

static void read_segments(struct image *im)
{
	unsigned int n = im->head.e_phnum < SEGMENTS_MAX ? im->head.e_phnum : SEGMENTS_MAX;
	Elf64_Phdr ph;
	Elf32_Phdr h;

	if (im->head.e_phentsize != (im->is_32 ? sizeof(h) : sizeof(ph)))
		return;
	for (unsigned int i = 0; i < n; i++) {
		if (!READ_ENTRY(im, im->head.e_phoff, i, ph, h))
			return;
		if (im->is_32)
			ph = (Elf64_Phdr){.p_type = h.p_type,
					  .p_offset = h.p_offset,
					  .p_vaddr = h.p_vaddr,
					  .p_filesz = h.p_filesz};
		vec_push(&im->segments, ph);
	}
}

/* The number of sections has 16 bits.  Files with more are not executed. */
static void read_sections(struct image *im)
{
	Elf64_Shdr sh;
	Elf32_Shdr h;

	if (im->head.e_shentsize != (im->is_32 ? sizeof(h) : sizeof(sh)))
		return;
	for (unsigned int i = 0; i < im->head.e_shnum; i++) {
		if (!READ_ENTRY(im, im->head.e_shoff, i, sh, h))
			return;
		if (im->is_32)
			sh = (Elf64_Shdr){.sh_name = h.sh_name,
					  .sh_type = h.sh_type,
					  .sh_flags = h.sh_flags,
					  .sh_addr = h.sh_addr,
					  .sh_offset = h.sh_offset,
					  .sh_size = h.sh_size,
					  .sh_link = h.sh_link,
					  .sh_entsize = h.sh_entsize};
		vec_push(&im->sections, sh);
	}
}

bool image_read(struct image *im, int fd)
{
	struct stat st;

	memset(im, 0, sizeof(*im));
	im->fd = fd;
	if (fstat(fd, &st) != 0)
		return false;
	im->size = (uint64_t)st.st_size;
	if (!read_header(im))
		return false;
	read_segments(im);
	read_sections(im);
	if (!im->sections.n)
		image_add_dynamic(im);
	return true;
}

void image_free(struct image *im)
{
	vec_free(&im->segments);
	vec_free(&im->sections);
}

char *image_section(const struct image *im, const Elf64_Shdr *sh, uint64_t max)
{
	char *p;

	if (sh->sh_type == SHT_NOBITS || sh->sh_size > max || sh->sh_size > im->size)
		return NULL;
	p = mem_alloc(sh->sh_size + 1);
	if (image_bytes(im, sh->sh_offset, p, sh->sh_size))
		return p;
	mem_free(p);
	return NULL;
}

const Elf64_Shdr *image_find(const struct image *im, const char *name)
{
	const Elf64_Shdr *of, *found = NULL;
	char *names;

	if (im->head.e_shstrndx >= im->sections.n)
		return NULL;
	of = &im->sections.a[im->head.e_shstrndx];
	names = image_section(im, of, NAMES_MAX);
	for (unsigned int i = 0; names && !found && i < im->sections.n; i++)
		if (im->sections.a[i].sh_name < of->sh_size &&
		    strcmp(names + im->sections.a[i].sh_name, name) == 0)
			found = &im->sections.a[i];
	mem_free(names);
	return found;
}

size_t image_symbols(const struct image *im, const Elf64_Shdr *sh, uint64_t first, Elf64_Sym *to,
		     size_t n)
{
	size_t size = im->is_32 ? sizeof(Elf32_Sym) : sizeof(*to);
	uint64_t all = sh->sh_size / size;
	char *raw = (char *)to;

	if (sh->sh_entsize != size || first >= all)
		return 0;
	n = all - first < n ? all - first : n;
	/* Narrow symbols are read into the upper half, and widened upwards. */
	raw += n * (sizeof(*to) - size);
	if (sh->sh_offset > im->size ||
	    !image_bytes(im, sh->sh_offset + first * size, raw, n * size))
		return 0;
	for (size_t i = 0; im->is_32 && i < n; i++) {
		Elf32_Sym s;

		memcpy(&s, raw + i * size, size);
		to[i] = (Elf64_Sym){s.st_name,	s.st_info,  s.st_other,
				    s.st_shndx, s.st_value, s.st_size};
	}
	return n;
}

/* Returns true if the number of named symbols makes these bytes of names plausible. */
static bool need_names(const struct image *im, const Elf64_Shdr *sh, uint64_t bytes)
{
	static _Thread_local Elf64_Sym chunk[SYMBOLS_CHUNK];
	uint64_t room = NAMES_FREE;
	size_t n;

	for (uint64_t at = 0; room < bytes; at += n) {
		n = image_symbols(im, sh, at, chunk, SYMBOLS_CHUNK);
		if (!n)
			return false;
		for (size_t i = 0; i < n; i++)
			room += chunk[i].st_name ? NAME_MEAN : 0;
	}
	return true;
}

char *image_names(const struct image *im, const Elf64_Shdr *sh, uint64_t max, uint64_t *size)
{
	const Elf64_Shdr *names;

	if (sh->sh_link >= im->sections.n)
		return NULL;
	names = &im->sections.a[sh->sh_link];
	*size = names->sh_size;
	return *size <= max && need_names(im, sh, *size) ? image_section(im, names, max) : NULL;
}
