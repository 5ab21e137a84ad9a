/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * object.c: functions, variables and segments of an ELF file.  Symbols come from .symtab.  If it
 * was stripped, they come from a separate debug file, or else from the table of Go, or from
 * .dynsym, to which a file inside the file adds functions that are not exported (.gnu_debugdata).
 * A function that a resolver chooses (STT_GNU_IFUNC) has the address of the resolver: these are
 * kept apart.
 *
 * Functions of assembler often have neither a type nor a size.  A symbol without a type is a
 * function if it lies in code that no function covers.
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
#include "proc/unpack.h"

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

static void add_variable(struct proc_object *o, struct proc_sym s)
{
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

/* Symbols of one object while they are read. */
struct reading {
	struct proc_object *o;
	const struct image *im;
	char *strings; /* names of the current table */
	size_t nstrings;
	VEC(struct proc_sym) labels;  /* in code, without a type */
	VEC(struct proc_range) codes; /* sections with code */
};

/*
 * Excludes symbols that are no functions: labels of compilers, marks of instructions and of data on
 * ARM ("$x"), and the ends of sections, which linkers define.
 */
static bool names_code(const char *name)
{
	static const char *const ends[] = {"etext", "_etext", "__etext", "__executable_start"};

	for (unsigned int i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (strcmp(name, ends[i]) == 0)
			return false;
	return *name != '$' && strncmp(name, ".L", 2) != 0;
}

/* A file without sections has segments only. */
static bool is_in_code(const struct reading *r, const Elf64_Sym *sym)
{
	if (r->im->head.e_shnum)
		return sym->st_shndx < r->im->sections.n &&
		       r->im->sections.a[sym->st_shndx].sh_flags & SHF_EXECINSTR;
	for (unsigned int i = 0; i < r->o->loads.n; i++)
		if (sym->st_value - r->o->loads.a[i].vaddr < r->o->loads.a[i].size)
			return r->o->loads.a[i].is_code;
	return false;
}

static void add_symbol(struct reading *r, const Elf64_Sym *sym)
{
	struct proc_sym s = {.addr = sym->st_value, .size = sym->st_size};
	unsigned int type = ELF64_ST_TYPE(sym->st_info);
	struct proc_object *o = r->o;

	if (!sym->st_value || sym->st_shndx == SHN_UNDEF || sym->st_name >= r->nstrings)
		return;
	s.name = r->strings + sym->st_name;
	s.bind = ELF64_ST_BIND(sym->st_info);
	if (!*s.name || strnlen(s.name, NAME_MAX_LEN) == NAME_MAX_LEN)
		return;
	buf_clean(r->strings + sym->st_name);
	if (type == STT_FUNC)
		vec_push(&o->syms, s);
	else if (type == STT_GNU_IFUNC)
		vec_push(&o->resolvers, s);
	else if (type == STT_NOTYPE && names_code(s.name) && is_in_code(r, sym))
		vec_push(&r->labels, s);
	if (type == STT_OBJECT)
		add_variable(o, s);
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

/* Adds the symbols of the first table of this kind.  The object keeps the strings of their names.
 */
static void read_symbols(struct reading *r, const struct image *im, uint32_t type)
{
	static _Thread_local Elf64_Sym chunk[CHUNK];
	const Elf64_Shdr *sh = NULL;
	uint64_t size = 0;
	size_t n;

	for (unsigned int i = 0; i < im->sections.n && !sh; i++)
		if (im->sections.a[i].sh_type == type)
			sh = &im->sections.a[i];
	r->im = im;
	r->strings = sh ? image_names(im, sh, STRINGS_MAX, &size) : NULL;
	r->nstrings = size;
	if (!r->strings)
		return;
	vec_push(&r->o->strings, r->strings);
	/* Removes versions: memcpy@@GLIBC_2.14. */
	for (char *p = r->strings, *end = p + size;
	     (p = memchr(p, '@', (size_t)(end - p))) != NULL;)
		*p = '\0';
	for (uint64_t at = 0; at < SYMBOLS_MAX; at += n) {
		n = image_symbols(im, sh, at, chunk, CHUNK);
		for (size_t i = 0; i < n; i++)
			add_symbol(r, &chunk[i]);
		if (!n)
			break;
	}
	r->o->cost += size;
}

static void sort(struct proc_sym *syms, unsigned int n)
{
	if (n)
		qsort(syms, n, sizeof(*syms), proc_sym_cmp);
}

/* Drops symbols of a table without functions: the next source has all of them. */
static void drop_symbols(struct reading *r)
{
	r->labels.n = r->o->resolvers.n = r->o->data.n = 0;
}

/* Reads the places of code, and among them .plt, .plt.sec and .plt.got. */
static void read_codes(struct reading *r, const struct image *im)
{
	struct proc_object *o = r->o;
	const Elf64_Shdr *names;
	char *strings;

	if (im->head.e_shstrndx >= im->sections.n)
		return;
	names = &im->sections.a[im->head.e_shstrndx];
	strings = image_section(im, names, SECTIONS_MAX);
	for (unsigned int i = 0; strings && i < im->sections.n; i++) {
		const Elf64_Shdr *sh = &im->sections.a[i];
		struct proc_range code = {sh->sh_addr, sh->sh_addr + sh->sh_size};

		if (!(sh->sh_flags & SHF_EXECINSTR))
			continue;
		vec_push(&r->codes, code);
		if (sh->sh_name < names->sh_size && o->plts.n < PLTS_MAX &&
		    strncmp(strings + sh->sh_name, ".plt", 4) == 0)
			vec_push(&o->plts, code);
	}
	mem_free(strings);
}

/* Reads symbols from the file in a file. */
static void read_mini(struct reading *r, const struct image *im, const char *path,
		      struct debug_dir *dir)
{
	const char *error;
	int fd = unpack_symbols(im, dir, &error);
	struct image mini;

	if (error)
		debug_failed(dir, path, error);
	if (fd < 0)
		return;
	if (image_read(&mini, fd) && mini.head.e_machine == im->head.e_machine)
		read_symbols(r, &mini, SHT_SYMTAB);
	image_free(&mini);
	close(fd);
}

/* Reads symbols from a separate debug file. */
static void read_separate(struct reading *r, const struct image *im, const char *path,
			  struct debug_dir *dir)
{
	int fd = debug_open(im, path, dir);
	struct image debug;

	if (fd < 0)
		return;
	if (image_read(&debug, fd) && debug.head.e_machine == im->head.e_machine)
		read_symbols(r, &debug, SHT_SYMTAB);
	image_free(&debug);
	close(fd);
}

static void read_all_symbols(struct reading *r, const struct image *im, const char *path,
			     struct debug_dir *dir)
{
	read_symbols(r, im, SHT_SYMTAB);
	if (!r->o->syms.n) {
		drop_symbols(r);
		read_separate(r, im, path, dir);
	}
	if (!r->o->syms.n)
		gotable_read(r->o, im);
	if (!r->o->syms.n) {
		drop_symbols(r);
		read_symbols(r, im, SHT_DYNSYM);
		read_mini(r, im, path, dir);
	}
}

/* ---- symbols without a type or a size ---- */

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

/* Returns the end of the code that contains an address; 0: it is not in code. */
static uint64_t code_end(const struct reading *r, uint64_t addr)
{
	for (unsigned int i = 0; i < r->codes.n; i++)
		if (addr >= r->codes.a[i].start && addr < r->codes.a[i].end)
			return r->codes.a[i].end;
	for (unsigned int i = 0; i < r->o->loads.n && !r->codes.n; i++)
		if (addr - r->o->loads.a[i].vaddr < r->o->loads.a[i].size)
			return r->o->loads.a[i].vaddr + r->o->loads.a[i].size;
	return 0;
}

/* Returns true for a label in a function of assembler: local ones, and "f.loop" of nasm. */
static bool is_part(const struct reading *r, const struct proc_sym *label,
		    const struct proc_sym *of)
{
	size_t n = strlen(of->name);

	if (label->bind != STB_LOCAL || code_end(r, label->addr) != code_end(r, of->addr))
		return false;
	return of->bind != STB_LOCAL ||
	       (strncmp(label->name, of->name, n) == 0 && label->name[n] == '.');
}

/* Returns true if a label is in one of the n functions with a type, or in the label before. */
static bool is_inside(const struct reading *r, unsigned int n, const struct proc_sym *label,
		      const struct proc_sym *last)
{
	const struct {
		const struct proc_sym *a;
		unsigned int n;
	} typed = {r->o->syms.a, n};
	const struct proc_sym *at = n ? sym_at(typed.a, n, label->addr) : NULL;
	unsigned int next;

	if (at)
		return at->size || at->addr == label->addr || is_part(r, label, at);
	if (!last)
		return false;
	next = vec_after(&typed, addr, last->addr);
	return (next == n || typed.a[next].addr > label->addr) &&
	       (last->addr == label->addr || is_part(r, label, last));
}

/* Adds labels where no function is. */
static void add_labels(struct reading *r)
{
	struct proc_object *o = r->o;
	unsigned int n = o->syms.n;
	const struct proc_sym *last = NULL;

	sort(r->labels.a, r->labels.n);
	for (unsigned int i = 0; i < r->labels.n; i++)
		if (!is_inside(r, n, &r->labels.a[i], last)) {
			last = &r->labels.a[i];
			vec_push(&o->syms, *last);
		}
	if (o->syms.n > n)
		sort(o->syms.a, o->syms.n);
}

/* A function without a size ends at the next symbol, or with its section. */
static void guess_sizes(struct reading *r)
{
	struct proc_object *o = r->o;

	for (unsigned int i = o->syms.n; i-- > 0;) {
		struct proc_sym *sym = &o->syms.a[i];
		unsigned int next = vec_after(&o->syms, addr, sym->addr);
		unsigned int data = vec_first(&o->data, addr, sym->addr);
		uint64_t end = sym->size ? 0 : code_end(r, sym->addr);

		if (end && next < o->syms.n && o->syms.a[next].addr < end)
			end = o->syms.a[next].addr;
		if (end && data < o->data.n && o->data.a[data].addr < end)
			end = o->data.a[data].addr;
		if (end <= sym->addr)
			continue;
		sym->size = end - sym->addr;
		sym->is_guessed = true;
	}
}

static void read_object(struct proc_object *o, const struct image *im, const char *path,
			struct debug_dir *dir)
{
	struct reading r = {.o = o, .im = im};

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
	read_codes(&r, im);
	o->is_go = gotable_is_go(im);
	read_all_symbols(&r, im, path, dir);
	if (o->ruby)
		o->tls_slot = tls_slot(im);
	sort(o->syms.a, o->syms.n);
	sort(o->resolvers.a, o->resolvers.n);
	sort(o->data.a, o->data.n);
	add_labels(&r);
	guess_sizes(&r);
	o->cost += (o->syms.cap + o->data.cap) * sizeof(*o->syms.a);
	vec_free(&r.labels);
	vec_free(&r.codes);
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
	for (unsigned int i = 0; i < o->strings.n; i++)
		mem_free(o->strings.a[i]);
	vec_free(&o->strings);
	mem_free(o->base);
	mem_free(o->id);
	mem_free(o->build_id);
	reader_close(o->reader);
	goplaces_close(o->goplaces);
	mem_free(o);
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
