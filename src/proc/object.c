/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * object.c: functions and segments of an ELF file.  Functions come from .symtab, or from .dynsym
 * where that was stripped.  What a resolver chooses (STT_GNU_IFUNC) is none: its address is that of
 * the resolver.
 */
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "proc/proc.h"

#if defined(__x86_64__)
#define MACHINE EM_X86_64
#elif defined(__aarch64__)
#define MACHINE EM_AARCH64
#endif

static unsigned int underscores(const char *name)
{
	return (unsigned int)strspn(name, "_");
}

/*
 * By address; of several names for one address the best first: one with a size, one that others can
 * link to, without underscores ("write", not "__write"), and by the alphabet.
 */
static int sym_cmp(const void *a, const void *b)
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
	return strcmp(x->name, y->name);
}

static void read_symbols(struct arena *a, struct proc_object *o, Elf *elf, uint32_t type)
{
	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn)) != NULL;) {
		Elf_Data *data;
		GElf_Shdr sh;
		GElf_Sym sym;

		if (!gelf_getshdr(scn, &sh) || sh.sh_type != type || !sh.sh_entsize)
			continue;
		data = elf_getdata(scn, NULL);
		for (size_t i = 0; data && i < sh.sh_size / sh.sh_entsize; i++) {
			const char *name;

			if (!gelf_getsym(data, (int)i, &sym) || !sym.st_value ||
			    sym.st_shndx == SHN_UNDEF || GELF_ST_TYPE(sym.st_info) != STT_FUNC)
				continue;
			/* A version may follow: memcpy@@GLIBC_2.14. */
			name = elf_strptr(elf, sh.sh_link, sym.st_name);
			if (name && *name)
				vec_push(&o->syms, ((struct proc_sym){
						       sym.st_value, sym.st_size,
						       arena_strndup(a, name, strcspn(name, "@")),
						       GELF_ST_BIND(sym.st_info)}));
		}
	}
}

static void read_segments(struct proc_object *o, Elf *elf)
{
	size_t n = 0;
	GElf_Phdr ph;

	if (elf_getphdrnum(elf, &n) != 0)
		return;
	for (size_t i = 0; i < n; i++)
		if (gelf_getphdr(elf, (int)i, &ph) && ph.p_type == PT_LOAD)
			vec_push(&o->loads,
				 ((struct proc_segment){ph.p_offset, ph.p_vaddr, ph.p_filesz}));
}

/* .plt, .plt.sec, .plt.got */
static void read_plts(struct proc_object *o, Elf *elf)
{
	size_t strings;
	GElf_Shdr sh;

	if (elf_getshdrstrndx(elf, &strings) != 0)
		return;
	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn)) != NULL;) {
		const char *name;

		if (!gelf_getshdr(scn, &sh) || !(sh.sh_flags & SHF_EXECINSTR))
			continue;
		name = elf_strptr(elf, strings, sh.sh_name);
		if (name && strncmp(name, ".plt", 4) == 0)
			vec_push(&o->plts,
				 ((struct proc_range){sh.sh_addr, sh.sh_addr + sh.sh_size}));
	}
}

static void read_elf(struct arena *a, struct proc_object *o, Elf *elf)
{
	GElf_Ehdr eh;

	if (!gelf_getehdr(elf, &eh))
		return;
	o->is_native = eh.e_machine == MACHINE && eh.e_ident[EI_CLASS] == ELFCLASS64;
	read_segments(o, elf);
	read_plts(o, elf);
	read_symbols(a, o, elf, SHT_SYMTAB);
	if (!o->syms.n)
		read_symbols(a, o, elf, SHT_DYNSYM);
	if (o->syms.n)
		qsort(o->syms.a, o->syms.n, sizeof(*o->syms.a), sym_cmp);
}

struct proc_object *proc_object_read(struct arena *a, const char *path, const char *base)
{
	struct proc_object *o = arena_new_obj(a, struct proc_object);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf *elf;

	o->base = base;
	if (fd < 0)
		return o;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (elf)
		read_elf(a, o, elf);
	elf_end(elf);
	close(fd);
	return o;
}

const struct proc_sym *proc_sym_at(const struct proc_object *o, uint64_t vaddr)
{
	unsigned int lo = 0, hi = o->syms.n;

	while (lo < hi) {
		unsigned int mid = (lo + hi) / 2;

		if (o->syms.a[mid].addr <= vaddr)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo)
		return NULL;
	for (lo--; lo && o->syms.a[lo - 1].addr == o->syms.a[lo].addr; lo--)
		;
	if (o->syms.a[lo].size && vaddr - o->syms.a[lo].addr >= o->syms.a[lo].size)
		return NULL;
	return &o->syms.a[lo];
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
