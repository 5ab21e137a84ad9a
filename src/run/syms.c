/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * syms.c: addresses to names for the consumer: the kernel's from kern/, those of processes from the
 * ELF files that /proc/PID/maps names.  Symbols of files are kept, and mappings too: those of a
 * process are read when it is first met or asked for, and again when an address is in none of them.
 * Later ones come before older ones, of an address space that exec() has left.
 */
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/map.h"
#include "kern/kern.h"
#include "run/session.h"

struct elf_sym {
	uint64_t addr, size;
	const char *name;
};

struct segment {
	uint64_t off, vaddr, size;
};

struct object {
	const char *base;
	VEC(struct elf_sym) syms; /* by address, as linked */
	VEC(struct segment) loads;
};

struct mapping {
	uint64_t start, end, off;
	const char *path;
};

struct process {
	VEC(struct mapping) maps;
};

static int sym_cmp(const void *a, const void *b)
{
	const struct elf_sym *x = a, *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static void read_symbols(struct session *s, struct object *o, Elf *elf, uint32_t type)
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
			    GELF_ST_TYPE(sym.st_info) != STT_FUNC)
				continue;
			name = elf_strptr(elf, sh.sh_link, sym.st_name);
			if (name)
				vec_push(&o->syms,
					 ((struct elf_sym){sym.st_value, sym.st_size,
							   arena_strdup(s->arena, name)}));
		}
	}
}

static struct object *object_open(struct session *s, uint32_t pid, const char *path)
{
	struct object *o = map_get_str(s->objects, path);
	char real[512];
	size_t nph = 0;
	GElf_Phdr ph;
	Elf *elf;
	int fd;

	if (o)
		return o;
	o = arena_new_obj(s->arena, struct object);
	o->base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	o->base = arena_strdup(s->arena, o->base);
	map_set_str(s->objects, path, o);
	snprintf(real, sizeof(real), "/proc/%u/root%s", pid, path);
	fd = open(real, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return o;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (elf && elf_getphdrnum(elf, &nph) == 0) {
		for (size_t i = 0; i < nph; i++)
			if (gelf_getphdr(elf, (int)i, &ph) && ph.p_type == PT_LOAD) {
				vec_push(&o->loads,
					 ((struct segment){ph.p_offset, ph.p_vaddr, ph.p_filesz}));
			}
		read_symbols(s, o, elf, SHT_SYMTAB);
		if (!o->syms.n)
			read_symbols(s, o, elf, SHT_DYNSYM);
		if (o->syms.n)
			qsort(o->syms.a, o->syms.n, sizeof(*o->syms.a), sym_cmp);
	}
	if (elf)
		elf_end(elf);
	close(fd);
	return o;
}

static bool is_known(const struct process *p, const struct mapping *m)
{
	for (unsigned int i = 0; i < p->maps.n; i++) {
		const struct mapping *k = &p->maps.a[i];

		if (k->start == m->start && k->end == m->end && k->off == m->off &&
		    strcmp(k->path, m->path) == 0)
			return true;
	}
	return false;
}

static void read_maps(struct session *s, struct process *p, uint32_t pid)
{
	char path[64], line[1024], name[512];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%u/maps", pid);
	f = fopen(path, "re");
	if (!f)
		return;
	while (fgets(line, sizeof(line), f)) {
		unsigned long long start, end, off;
		struct mapping m;
		char perm[8];

		name[0] = '\0';
		if (sscanf(line, "%llx-%llx %7s %llx %*s %*s %511[^\n]", &start, &end, perm, &off,
			   name) < 4 ||
		    perm[2] != 'x' || name[0] != '/')
			continue;
		m = (struct mapping){start, end, off, name};
		if (is_known(p, &m))
			continue;
		m.path = arena_strdup(s->arena, name);
		vec_push(&p->maps, m);
	}
	fclose(f);
}

static struct process *process_of(struct session *s, uint32_t pid)
{
	struct process *p = map_get_int(s->processes, pid);

	if (!p) {
		p = arena_new_obj(s->arena, struct process);
		map_set_int(s->processes, pid, p);
		read_maps(s, p, pid);
	}
	return p;
}

/* The symbols are read as well: the files may be reached through the process only. */
void syms_meet(struct session *s, uint32_t pid)
{
	struct process *p = map_get_int(s->processes, pid);
	unsigned int known = p ? p->maps.n : 0;

	if (p)
		read_maps(s, p, pid);
	else
		p = process_of(s, pid);
	for (unsigned int i = known; i < p->maps.n; i++)
		object_open(s, pid, p->maps.a[i].path);
}

static const struct mapping *find_mapping(const struct process *p, uint64_t addr)
{
	for (unsigned int i = p->maps.n; i-- > 0;)
		if (addr >= p->maps.a[i].start && addr < p->maps.a[i].end)
			return &p->maps.a[i];
	return NULL;
}

static const struct elf_sym *find_sym(const struct object *o, uint64_t vaddr)
{
	unsigned int lo = 0, hi = o->syms.n;

	while (lo < hi) {
		unsigned int mid = (lo + hi) / 2;

		if (o->syms.a[mid].addr <= vaddr)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo ||
	    (o->syms.a[lo - 1].size && vaddr - o->syms.a[lo - 1].addr >= o->syms.a[lo - 1].size))
		return NULL;
	return &o->syms.a[lo - 1];
}

static int usym(void *ctx, uint32_t pid, uint64_t addr, struct out_sym *res)
{
	struct session *s = ctx;
	struct process *p = process_of(s, pid);
	const struct elf_sym *sym = NULL;
	const struct mapping *m;
	struct object *o;
	uint64_t file_off;

	m = find_mapping(p, addr);
	if (!m) {
		read_maps(s, p, pid);
		m = find_mapping(p, addr);
	}
	if (!m)
		return -ENOENT;
	o = object_open(s, pid, m->path);
	*res = (struct out_sym){.module = o->base};
	file_off = addr - m->start + m->off;
	for (unsigned int i = 0; i < o->loads.n && !sym; i++) {
		if (file_off < o->loads.a[i].off ||
		    file_off >= o->loads.a[i].off + o->loads.a[i].size)
			continue;
		sym = find_sym(o, file_off - o->loads.a[i].off + o->loads.a[i].vaddr);
		if (sym) {
			res->name = sym->name;
			res->offset =
			    file_off - o->loads.a[i].off + o->loads.a[i].vaddr - sym->addr;
		}
	}
	return 0;
}

static int ksym(void *ctx, uint64_t addr, struct out_sym *res)
{
	struct session *s = ctx;
	struct kern_sym sym;

	if (!kern_sym_by_addr(s->lo.kern, addr, &sym))
		return -ENOENT;
	*res = (struct out_sym){.module = sym.module, .name = sym.name, .offset = addr - sym.addr};
	return 0;
}

const struct out_symtab session_symtab = {.ksym = ksym, .usym = usym};

/* One address for all of a module, so that keys of one module are equal: the first one seen. */
uint64_t session_module_addr(struct session *s, const char *module, uint64_t addr)
{
	uint64_t *first = map_get_str(s->modules, module);

	if (!first) {
		first = arena_new_obj(s->arena, uint64_t);
		*first = addr;
		map_set_str(s->modules, module, first);
	}
	return *first;
}

void syms_free(struct session *s)
{
	struct process *p;
	struct object *o;
	size_t pos = 0;

	while ((o = map_next(s->objects, &pos, NULL, NULL)) != NULL) {
		vec_free(&o->syms);
		vec_free(&o->loads);
	}
	for (pos = 0; (p = map_next(s->processes, &pos, NULL, NULL)) != NULL;)
		vec_free(&p->maps);
	map_free(s->objects);
	map_free(s->processes);
	map_free(s->modules);
}
