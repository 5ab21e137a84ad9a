/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * object.c: functions, variables and segments of an ELF file.  Symbols come from .symtab.  If it
 * was stripped, they come from a separate debug file, or else from the table of Go, or from
 * .dynsym.  A function that a resolver chooses (STT_GNU_IFUNC) has the address of the resolver:
 * these are kept apart.
 *
 * The file is not trusted (image.h).  The limits are a few times the largest programs, web browsers
 * with all their symbols, so that a malicious file costs a second or two.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/buf.h"
#include "base/mem.h"
#include "proc/debug.h"
#include "proc/gotable.h"
#include "proc/image.h"
#include "proc/proc.h"
#include "proc/reader.h"

#define SYMBOLS_MAX	4000000U     /* of a file */
#define STRINGS_MAX	(512U << 20) /* bytes of all their names */
#define NAME_MAX_LEN	4096	     /* bytes of a name; longer ones are left out */
#define NAME_CMP	64	     /* characters compared to choose the better name */
#define SECTIONS_MAX	(1U << 20)   /* bytes of the names of sections */
#define RELOCATIONS_MAX (64U << 20)  /* bytes of a table of relocations */
#define PLTS_MAX	16
#define CHUNK		4096 /* symbols of one read */

static unsigned int underscores(const char *name)
{
	unsigned int n = 0;

	while (n < NAME_CMP && name[n] == '_')
		n++;
	return n;
}

/* A name without underscores is better: "write", not "__write". */
int proc_sym_cmp(const void *a, const void *b)
{
	const struct proc_sym *x = a, *y = b;
	bool x_local = x->bind == STB_LOCAL, y_local = y->bind == STB_LOCAL;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	if (!x->size != !y->size)
		return x->size ? -1 : 1;
	if (x_local != y_local)
		return x_local ? 1 : -1;
	if (underscores(x->name) != underscores(y->name))
		return underscores(x->name) < underscores(y->name) ? -1 : 1;
	return strncmp(x->name, y->name, NAME_CMP);
}

static void add_symbol(struct proc_object *o, const Elf64_Sym *sym, size_t nstrings)
{
	struct proc_sym s = {.addr = sym->st_value, .size = sym->st_size};
	unsigned int type = ELF64_ST_TYPE(sym->st_info);

	if (!sym->st_value || sym->st_shndx == SHN_UNDEF || sym->st_name >= nstrings)
		return;
	s.name = o->strings + sym->st_name;
	s.bind = ELF64_ST_BIND(sym->st_info);
	if (!*s.name || strnlen(s.name, NAME_MAX_LEN) == NAME_MAX_LEN)
		return;
	buf_clean(o->strings + sym->st_name);
	if (type == STT_FUNC)
		vec_push(&o->syms, s);
	else if (type == STT_GNU_IFUNC)
		vec_push(&o->resolvers, s);
	if (type != STT_OBJECT)
		return;
	vec_push(&o->data, s);
	if (strcmp(s.name, "_PyRuntime") == 0) {
		o->python = s.addr;
	} else if (strcmp(s.name, "Py_Version") == 0) {
		o->python_version = s.addr;
	} else if (strcmp(s.name, "executor_globals") == 0) {
		o->php = s.addr;
		o->php_size = s.size;
	} else if (strcmp(s.name, "PL_thr_key") == 0) {
		o->perl_key = s.addr;
	} else if (strcmp(s.name, "PL_version") == 0) {
		o->perl_version = s.addr;
	} else if (strcmp(s.name, "ruby_version") == 0) {
		o->ruby = s.addr;
	} else if (strcmp(s.name, "gHotSpotVMStructs") == 0) {
		o->is_hotspot = true;
	} else if (strcmp(s.name, "_ZN2v88internal7Version6major_E") == 0) {
		o->v8 = s.addr;
	}
}

/*
 * Returns the address of a word that the dynamic linker sets to the number of this module
 * (x86-64 ABI, R_X86_64_DTPMOD64), or 0.  Without a symbol it is certainly its own number.
 */
static uint64_t tls_slot(const struct image *im)
{
	uint64_t found = 0;

	for (unsigned int i = 0; i < im->sections.n && im->head.e_machine == EM_X86_64; i++) {
		const Elf64_Shdr *sh = &im->sections.a[i];
		Elf64_Rela *all;

		if (sh->sh_type != SHT_RELA)
			continue;
		all = (Elf64_Rela *)image_section(im, sh, RELOCATIONS_MAX);
		for (uint64_t k = 0; all && k < sh->sh_size / sizeof(*all); k++)
			if (ELF64_R_TYPE(all[k].r_info) == R_X86_64_DTPMOD64 &&
			    (!found || !ELF64_R_SYM(all[k].r_info)))
				found = all[k].r_offset;
		mem_free(all);
	}
	return found;
}

/* Reads the first table of this kind.  Names lie in its strings, which the object keeps. */
static void read_symbols(struct proc_object *o, const struct image *im, uint32_t type)
{
	static _Thread_local Elf64_Sym chunk[CHUNK];
	const Elf64_Shdr *sh = NULL;
	uint64_t size = 0;
	size_t n;

	for (unsigned int i = 0; i < im->sections.n && !sh; i++)
		if (im->sections.a[i].sh_type == type)
			sh = &im->sections.a[i];
	if (!sh)
		return;
	mem_free(o->strings);
	o->resolvers.n = o->data.n = 0;
	o->strings = image_names(im, sh, STRINGS_MAX, &size);
	if (!o->strings)
		return;
	/* Removes versions: memcpy@@GLIBC_2.14. */
	for (char *p = o->strings, *end = p + size;
	     (p = memchr(p, '@', (size_t)(end - p))) != NULL;)
		*p = '\0';
	for (uint64_t at = 0; at < SYMBOLS_MAX; at += n) {
		n = image_symbols(im, sh, at, chunk, CHUNK);
		for (size_t i = 0; i < n; i++)
			add_symbol(o, &chunk[i], size);
		if (!n)
			break;
	}
	o->cost = size + (o->syms.cap + o->data.cap) * sizeof(*o->syms.a);
}

/* Reads .plt, .plt.sec and .plt.got. */
static void read_plts(struct proc_object *o, const struct image *im)
{
	const Elf64_Shdr *names;
	char *strings;

	if (im->head.e_shstrndx >= im->sections.n)
		return;
	names = &im->sections.a[im->head.e_shstrndx];
	strings = image_section(im, names, SECTIONS_MAX);
	for (unsigned int i = 0; strings && i < im->sections.n && o->plts.n < PLTS_MAX; i++) {
		const Elf64_Shdr *sh = &im->sections.a[i];

		if (sh->sh_flags & SHF_EXECINSTR && sh->sh_name < names->sh_size &&
		    strncmp(strings + sh->sh_name, ".plt", 4) == 0)
			vec_push(&o->plts,
				 ((struct proc_range){sh->sh_addr, sh->sh_addr + sh->sh_size}));
	}
	mem_free(strings);
}

/* Reads symbols from a separate debug file. */
static void read_separate(struct proc_object *o, const struct image *im, const char *path,
			  struct debug_dir *dir)
{
	int fd = debug_open(im, path, dir);
	struct image debug;

	if (fd < 0)
		return;
	if (image_read(&debug, fd) && debug.head.e_machine == im->head.e_machine)
		read_symbols(o, &debug, SHT_SYMTAB);
	image_free(&debug);
	close(fd);
}

static void read_object(struct proc_object *o, const struct image *im, const char *path,
			struct debug_dir *dir)
{
	o->build_id = debug_build_id(im);
	o->is_narrow = arch_native->narrow_decode && im->is_32 &&
		       im->head.e_machine == arch_native->narrow_machine;
	o->is_native = im->head.e_machine == arch_native->machine && !im->is_32;
	for (unsigned int i = 0; i < im->segments.n; i++) {
		const Elf64_Phdr *ph = &im->segments.a[i];

		if (ph->p_type == PT_LOAD)
			vec_push(&o->loads,
				 ((struct proc_segment){ph->p_offset, ph->p_vaddr, ph->p_filesz,
							ph->p_memsz, ph->p_flags & PF_X}));
	}
	read_plts(o, im);
	o->is_go = gotable_is_go(im);
	read_symbols(o, im, SHT_SYMTAB);
	if (!o->syms.n)
		read_separate(o, im, path, dir);
	if (!o->syms.n)
		gotable_read(o, im);
	if (!o->syms.n)
		read_symbols(o, im, SHT_DYNSYM);
	if (o->ruby)
		o->tls_slot = tls_slot(im);
	if (o->syms.n)
		qsort(o->syms.a, o->syms.n, sizeof(*o->syms.a), proc_sym_cmp);
	if (o->resolvers.n)
		qsort(o->resolvers.a, o->resolvers.n, sizeof(*o->resolvers.a), proc_sym_cmp);
	if (o->data.n)
		qsort(o->data.a, o->data.n, sizeof(*o->data.a), proc_sym_cmp);
}

void proc_object_read(struct proc_object *o, int fd, const char *path, struct debug_dir *dir)
{
	struct image im;

	if (image_read(&im, fd))
		read_object(o, &im, path, dir);
	image_free(&im);
}

void proc_object_free(struct proc_object *o)
{
	vec_free(&o->syms);
	vec_free(&o->resolvers);
	vec_free(&o->data);
	vec_free(&o->loads);
	vec_free(&o->plts);
	vec_free(&o->jumps);
	mem_free(o->strings);
	mem_free(o->base);
	mem_free(o->id);
	mem_free(o->build_id);
	reader_close(o->reader);
	goplaces_close(o->goplaces);
	mem_free(o);
}

static const struct proc_sym *sym_at(const struct proc_sym *syms, unsigned int n, uint64_t vaddr)
{
	const struct {
		const struct proc_sym *a;
		unsigned int n;
	} all = {syms, n};
	unsigned int i = vec_first(&all, addr, vaddr);

	if (i == n || syms[i].addr != vaddr) {
		if (!i)
			return NULL;
		i = vec_first(&all, addr, syms[i - 1].addr);
	}
	if (syms[i].size && vaddr - syms[i].addr >= syms[i].size)
		return NULL;
	return &syms[i];
}

const struct proc_sym *proc_sym_at(const struct proc_object *o, uint64_t vaddr)
{
	return sym_at(o->syms.a, o->syms.n, vaddr);
}

const struct proc_sym *proc_data_at(const struct proc_object *o, uint64_t vaddr)
{
	const struct proc_sym *sym = sym_at(o->data.a, o->data.n, vaddr);

	/* The end of a variable without a size is unknown. */
	return sym && (sym->size || sym->addr == vaddr) ? sym : NULL;
}

bool proc_in_plt(const struct proc_object *o, uint64_t addr)
{
	for (unsigned int i = 0; i < o->plts.n; i++)
		if (addr >= o->plts.a[i].start && addr < o->plts.a[i].end)
			return true;
	return false;
}

bool proc_in_function(const struct proc_object *o, uint64_t vaddr)
{
	const struct proc_sym *sym = proc_sym_at(o, vaddr);

	return sym && (sym->size || sym->addr == vaddr);
}

bool proc_vaddr(const struct proc_object *o, uint64_t off, uint64_t *vaddr)
{
	for (unsigned int i = 0; i < o->loads.n; i++) {
		const struct proc_segment *s = &o->loads.a[i];

		if (off >= s->off && off - s->off < s->size) {
			*vaddr = off - s->off + s->vaddr;
			return true;
		}
	}
	return false;
}

bool proc_offset(const struct proc_object *o, uint64_t vaddr, uint64_t *off)
{
	for (unsigned int i = 0; i < o->loads.n; i++) {
		const struct proc_segment *s = &o->loads.a[i];

		if (vaddr >= s->vaddr && vaddr - s->vaddr < s->size) {
			*off = vaddr - s->vaddr + s->off;
			return true;
		}
	}
	return false;
}
