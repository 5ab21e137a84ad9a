/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dynamic.c: the dynamic symbols of a file without sections, as the dynamic linker finds them: from
 * PT_DYNAMIC (System V ABI, "Dynamic Section").  No entry has their number.  DT_HASH has one chain
 * element for each symbol, and in DT_GNU_HASH the last symbol ends the chain of the last bucket.
 */
#include "proc/image.h"

#define ENTRIES_MAX 1024 /* of the dynamic section; linkers make about thirty */
#define CHUNK	    1024 /* words of one read */
#define BUCKETS_MAX (4U << 20)
#define CHAIN_MAX   65536 /* symbols of one bucket; linkers make some four */

/* Addresses of the tables; 0: none. */
struct dynamic {
	uint64_t symbols, names, names_size, hash, gnu_hash;
};

/* Converts an address to an offset in the file.  Returns false if no segment has it. */
static bool offset_of(const struct image *im, uint64_t addr, uint64_t *off)
{
	for (unsigned int i = 0; i < im->segments.n; i++) {
		const Elf64_Phdr *ph = &im->segments.a[i];

		if (ph->p_type == PT_LOAD && addr - ph->p_vaddr < ph->p_filesz) {
			*off = addr - ph->p_vaddr + ph->p_offset;
			return true;
		}
	}
	return false;
}

static bool read_entry(const struct image *im, uint64_t off, unsigned int i, Elf64_Dyn *d)
{
	Elf32_Dyn narrow;

	if (!im->is_32)
		return image_bytes(im, off + i * sizeof(*d), d, sizeof(*d));
	if (!image_bytes(im, off + i * sizeof(narrow), &narrow, sizeof(narrow)))
		return false;
	d->d_tag = narrow.d_tag;
	d->d_un.d_val = narrow.d_un.d_val;
	return true;
}

static bool read_dynamic(const struct image *im, struct dynamic *res)
{
	const Elf64_Phdr *ph = NULL;
	Elf64_Dyn d = {.d_tag = DT_NULL};

	for (unsigned int i = 0; i < im->segments.n && !ph; i++)
		if (im->segments.a[i].p_type == PT_DYNAMIC)
			ph = &im->segments.a[i];
	for (unsigned int i = 0;
	     ph && i < ENTRIES_MAX && read_entry(im, ph->p_offset, i, &d) && d.d_tag != DT_NULL;
	     i++) {
		if (d.d_tag == DT_SYMTAB)
			res->symbols = d.d_un.d_val;
		else if (d.d_tag == DT_STRTAB)
			res->names = d.d_un.d_val;
		else if (d.d_tag == DT_STRSZ)
			res->names_size = d.d_un.d_val;
		else if (d.d_tag == DT_HASH)
			res->hash = d.d_un.d_val;
		else if (d.d_tag == DT_GNU_HASH)
			res->gnu_hash = d.d_un.d_val;
	}
	return res->symbols && res->names;
}

/* Returns the highest of n words; 0 if they are not in the file. */
static uint32_t highest(const struct image *im, uint64_t off, uint32_t n)
{
	static _Thread_local uint32_t words[CHUNK];
	uint32_t res = 0, some;

	for (; n; n -= some, off += some * sizeof(*words)) {
		some = n < CHUNK ? n : CHUNK;
		if (!image_bytes(im, off, words, some * sizeof(*words)))
			return 0;
		for (uint32_t i = 0; i < some; i++)
			res = words[i] > res ? words[i] : res;
	}
	return res;
}

/* Header: numbers of buckets, of the first symbol, and of words of the filter.  See ld.so. */
static uint64_t count_gnu(const struct image *im, uint64_t off)
{
	uint64_t word = im->is_32 ? 4 : 8, chains;
	uint32_t head[4], last, element = 0;

	if (!image_bytes(im, off, head, sizeof(head)))
		return 0;
	off += sizeof(head) + head[2] * word;
	last = head[0] < BUCKETS_MAX ? highest(im, off, head[0]) : 0;
	if (last < head[1])
		return head[1];
	chains = off + head[0] * sizeof(uint32_t);
	for (unsigned int i = 0; i < CHAIN_MAX; i++, last++) {
		uint64_t at = chains + (uint64_t)(last - head[1]) * sizeof(element);

		if (!image_bytes(im, at, &element, sizeof(element)))
			return last;
		if (element & 1)
			return (uint64_t)last + 1;
	}
	return last;
}

static uint64_t count(const struct image *im, const struct dynamic *d)
{
	uint32_t head[2];
	uint64_t off;

	if (d->hash && offset_of(im, d->hash, &off) && image_bytes(im, off, head, sizeof(head)))
		return head[1];
	return d->gnu_hash && offset_of(im, d->gnu_hash, &off) ? count_gnu(im, off) : 0;
}

void image_add_dynamic(struct image *im)
{
	uint64_t size = im->is_32 ? sizeof(Elf32_Sym) : sizeof(Elf64_Sym);
	struct dynamic d = {0};
	Elf64_Shdr symbols = {.sh_type = SHT_DYNSYM, .sh_link = 2, .sh_entsize = size};
	Elf64_Shdr names = {.sh_type = SHT_STRTAB};

	if (!read_dynamic(im, &d) || !offset_of(im, d.symbols, &symbols.sh_offset) ||
	    !offset_of(im, d.names, &names.sh_offset))
		return;
	symbols.sh_addr = d.symbols;
	symbols.sh_size = count(im, &d) * size;
	names.sh_addr = d.names;
	names.sh_size = d.names_size;
	vec_push(&im->sections, (Elf64_Shdr){0});
	vec_push(&im->sections, symbols);
	vec_push(&im->sections, names);
}
