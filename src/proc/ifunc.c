/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ifunc.c: finds the choices of resolvers without running code.  Each caller of such a function,
 * its own object included, has a word with the address: R_*_IRELATIVE, or R_*_JUMP_SLOT and
 * R_*_GLOB_DAT with its name.  It is read from the memory of the process.  Before the word is set,
 * perhaps at the first call, it points to a stub in a table.
 *
 * Neither the files (image.h) nor the memory are trusted: an address counts only if it is in code
 * of the function's file.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/file.h"
#include "base/mem.h"
#include "proc/far.h"
#include "proc/image.h"
#include "proc/ifunc.h"

#define STEPS_MAX   (1U << 27)	 /* words, and functions compared with one; takes a second */
#define SYMBOLS_MAX (96U << 20)	 /* bytes of symbols */
#define STRINGS_MAX (512U << 20) /* bytes of names */
#define CHUNK	    2048
#define VDSO_MAX    65536 /* bytes of the kernel's code in processes */

struct search {
	struct proc *p;
	const struct proc_map *own;  /* the mapping of the file with the functions */
	const struct proc_object *o; /* that file */
	ifunc_list *list;
	int64_t left;  /* steps */
	int mem;       /* the memory of the process */
	uint64_t vdso; /* 0: none, or unknown */
};

/* A file with such words. */
struct words {
	struct image im;
	uint64_t bias;	    /* bias of loading */
	Elf64_Sym *symbols; /* the dynamic linker's nsymbols symbols, or NULL */
	uint64_t nsymbols, names_size;
	char *names;
	bool is_own; /* the file with the functions */
};

/* Takes the value of a word if it points to code of the file. */
static void take(struct search *s, struct ifunc *f, uint64_t word)
{
	uint64_t addr;

	for (unsigned int i = 0; i < s->p->maps.n; i++) {
		const struct proc_map *m = &s->p->maps.a[i];

		if (strcmp(m->id, s->own->id) == 0 && word >= m->start && word < m->end &&
		    proc_vaddr(s->o, word - m->start + m->off, &addr) && !proc_in_plt(s->o, addr) &&
		    addr != f->resolver->addr)
			f->addr = addr;
	}
	if (s->vdso && word - s->vdso < VDSO_MAX)
		f->is_elsewhere = true;
}

static void read_word(struct search *s, struct ifunc *f, uint64_t at)
{
	uint64_t word;

	if (s->p->far ? far_word(s->p->far, s->mem, at, &word)
		      : pread(s->mem, &word, sizeof(word), (off_t)at) == sizeof(word))
		take(s, f, word);
}

/* Returns the name of the symbol of a word; "": none. */
static const char *name_of(const struct words *w, const Elf64_Rela *r)
{
	uint64_t i = ELF64_R_SYM(r->r_info);

	return w->names && i < w->nsymbols && w->symbols[i].st_name < w->names_size
		   ? w->names + w->symbols[i].st_name
		   : "";
}

static void look_at(struct search *s, const struct words *w, const Elf64_Rela *r)
{
	uint32_t type = ELF64_R_TYPE(r->r_info);
	const char *name = NULL;

	if (type == arch_native->rel_choice
		? !w->is_own
		: type != arch_native->rel_call && type != arch_native->rel_address)
		return;
	s->left -= s->list->n;
	for (unsigned int i = 0; i < s->list->n; i++) {
		struct ifunc *f = &s->list->a[i];
		bool is_it;

		if (f->addr)
			continue;
		if (type == arch_native->rel_choice) {
			is_it = (uint64_t)r->r_addend == f->resolver->addr;
		} else {
			name = name ? name : name_of(w, r);
			is_it = strcmp(name, f->resolver->name) == 0;
		}
		if (is_it)
			read_word(s, f, w->bias + r->r_offset);
	}
}

static void read_table(struct search *s, const struct words *w, const Elf64_Shdr *sh)
{
	static _Thread_local Elf64_Rela chunk[CHUNK];
	uint64_t left = sh->sh_size / sizeof(*chunk), at = sh->sh_offset;

	while (left && s->left > 0) {
		size_t n = left < CHUNK ? left : CHUNK;

		if (pread(w->im.fd, chunk, n * sizeof(*chunk), (off_t)at) !=
		    (ssize_t)(n * sizeof(*chunk)))
			return;
		for (size_t i = 0; i < n; i++)
			look_at(s, w, &chunk[i]);
		left -= n;
		s->left -= (int64_t)n;
		at += n * sizeof(*chunk);
	}
}

static void read_symbols(struct words *w)
{
	const Elf64_Shdr *sh = NULL;

	for (unsigned int i = 0; i < w->im.sections.n && !sh; i++)
		if (w->im.sections.a[i].sh_type == SHT_DYNSYM)
			sh = &w->im.sections.a[i];
	if (!sh)
		return;
	w->symbols = (Elf64_Sym *)image_section(&w->im, sh, SYMBOLS_MAX);
	w->nsymbols = w->symbols ? sh->sh_size / sizeof(*w->symbols) : 0;
	w->names = image_names(&w->im, sh, STRINGS_MAX, &w->names_size);
}

static bool read_image(struct search *s, struct words *w, int fd)
{
	if (!image_read(&w->im, fd) || w->im.is_32)
		return false;
	read_symbols(w);
	for (unsigned int i = 0; i < w->im.sections.n; i++)
		if (w->im.sections.a[i].sh_type == SHT_RELA &&
		    w->im.sections.a[i].sh_flags & SHF_ALLOC)
			read_table(s, w, &w->im.sections.a[i]);
	return true;
}

/* Reads the words of one file that the process has mapped. */
static void read_words(struct search *s, struct procs *ps, struct proc_map *m)
{
	struct words w = {.is_own = strcmp(m->id, s->own->id) == 0};
	uint64_t vaddr;
	int fd;

	if (!proc_vaddr(proc_object(ps, s->p, m), m->off, &vaddr))
		return;
	w.bias = m->start - vaddr;
	fd = proc_open(s->p, m);
	if (fd < 0)
		return;
	read_image(s, &w, fd);
	mem_free(w.symbols);
	mem_free(w.names);
	image_free(&w.im);
	close(fd);
}

/* ---- sizes of the code ---- */

/* .eh_frame_hdr as linkers make it (LSB, 10.6.2).  Addresses are relative to its start. */
struct frames {
	uint8_t version, frame_form, count_form, table_form;
	int32_t frame;
	uint32_t count;
	struct {
		int32_t code, entry;
	} table[];
};

#define FORM_COUNT 0x03 /* DW_EH_PE_udata4 */
#define FORM_TABLE 0x3b /* DW_EH_PE_datarel | DW_EH_PE_sdata4 */

/*
 * Returns the size from the description of its frame, whose address is relative to itself; 0: none.
 */
static uint64_t size_of_frame(const struct image *im, const struct proc_object *o, uint64_t frame,
			      uint64_t addr)
{
	struct {
		uint32_t length, common;
		int32_t code;
		uint32_t size;
	} d;
	uint64_t off;

	return proc_offset(o, frame, &off) &&
		       pread(im->fd, &d, sizeof(d), (off_t)off) == sizeof(d) &&
		       frame + 8 + (uint64_t)d.code == addr
		   ? d.size
		   : 0;
}

static uint64_t size_by_frames(const struct image *im, const struct proc_object *o, uint64_t addr)
{
	const Elf64_Phdr *ph = NULL;
	uint32_t lo = 0, hi;
	struct frames head;

	for (unsigned int i = 0; i < im->segments.n; i++)
		if (im->segments.a[i].p_type == PT_GNU_EH_FRAME)
			ph = &im->segments.a[i];
	if (!ph || pread(im->fd, &head, sizeof(head), (off_t)ph->p_offset) != sizeof(head) ||
	    head.count_form != FORM_COUNT || head.table_form != FORM_TABLE)
		return 0;
	hi = head.count;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		uint64_t code;
		int32_t pair[2];

		if (pread(im->fd, pair, sizeof(pair),
			  (off_t)(ph->p_offset + sizeof(head) + mid * sizeof(pair))) !=
		    sizeof(pair))
			return 0;
		code = ph->p_vaddr + (uint64_t)pair[0];
		if (code == addr)
			return size_of_frame(im, o, ph->p_vaddr + (uint64_t)pair[1], addr);
		if (code < addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return 0;
}

/* Most choices have no symbol in installed files. */
static void find_sizes(struct search *s)
{
	int fd = proc_open(s->p, s->own);
	struct image im = {0};

	if (fd < 0)
		return;
	image_read(&im, fd);
	for (unsigned int i = 0; i < s->list->n; i++) {
		struct ifunc *f = &s->list->a[i];
		const struct proc_sym *sym = f->addr ? proc_sym_at(s->o, f->addr) : NULL;

		if (sym && sym->addr == f->addr && sym->size)
			f->size = sym->size;
		else if (f->addr)
			f->size = size_by_frames(&im, s->o, f->addr);
	}
	image_free(&im);
	close(fd);
}

static int open_memory(const struct proc *p)
{
	char path[64];

	if (p->far)
		return far_memory(p->far, p->pid);
	snprintf(path, sizeof(path), "/proc/%u/mem", p->thread);
	return file_open(path, O_RDONLY);
}

void ifunc_find(struct procs *ps, struct proc *p, struct proc_map *m, ifunc_list *list)
{
	struct search s = {
	    .p = p, .own = m, .o = proc_object(ps, p, m), .list = list, .left = STEPS_MAX};

	s.mem = open_memory(p);
	if (s.mem < 0)
		return;
	s.vdso = p->far ? 0 : proc_auxv(p->thread, AT_SYSINFO_EHDR);
	for (unsigned int i = 0; i < p->maps.n && s.left > 0; i++)
		if (proc_is_first(p, i))
			read_words(&s, ps, &p->maps.a[i]);
	if (p->far)
		far_close(p->far, s.mem);
	else
		close(s.mem);
	find_sizes(&s);
}
