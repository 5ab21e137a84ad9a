/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * debug.c: debug information (DWARF) of the kernel and its modules, if it is installed: types of
 * variables, which BTF mostly lacks, and places where functions were inlined.
 *
 * The files are searched on first use, and their build id must match the running kernel.  Addresses
 * in the file differ from addresses of the loaded kernel.  A place is therefore expressed by the
 * symbol of its function.
 */
#include <fcntl.h>
#include <fts.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/dw.h"
#include "base/file.h"
#include "base/progress.h"
#include "kern/priv.h"
#include "sys/machine.h"

#define BUILD_ID_MAX 64

/* The library, and the file of one module. */
struct kern_debug {
	const char *module;
	const struct dw *dw;
	Dwfl *dwfl;
	Dwfl_Module *mod; /* NULL: there is no such file */
	Dwfl_Callbacks callbacks;
};

void kern_debug_free(struct kern_debug *d)
{
	if (!d)
		return;
	if (d->dwfl)
		d->dw->dwfl_end(d->dwfl);
	dw_close(d->dw);
	mem_free(d);
}

/* ---- files ---- */

/* A note has the sizes of name and description, a type, the name ("GNU"), and the description. */
static unsigned int build_id(const char *module, uint8_t id[BUILD_ID_MAX])
{
	char path[256];
	uint32_t head[3];
	uint8_t name[64];
	unsigned int size = 0;
	int fd;

	snprintf(path, sizeof(path),
		 strcmp(module, "vmlinux") == 0 ? "/sys/kernel/notes"
						: "/sys/module/%s/notes/.note.gnu.build-id",
		 module);
	fd = file_open(path, O_RDONLY);
	while (fd >= 0 && !size && read(fd, head, sizeof(head)) == sizeof(head)) {
		size_t len = (head[0] + 3) & ~3U, desc = (head[1] + 3) & ~3U;

		if (len > sizeof(name) || read(fd, name, len) != (ssize_t)len)
			break;
		if (head[2] == NT_GNU_BUILD_ID && head[0] == 4 && memcmp(name, "GNU", 4) == 0 &&
		    desc <= BUILD_ID_MAX && read(fd, id, desc) == (ssize_t)desc)
			size = head[1];
		else if (lseek(fd, (off_t)desc, SEEK_CUR) < 0)
			break;
	}
	if (fd >= 0)
		close(fd);
	return size;
}

/* Returns the path by build id, the scheme of all distributions. */
static const char *path_by_id(struct kern *k, const uint8_t *id, unsigned int n)
{
	char hex[2 * BUILD_ID_MAX + 1] = "";

	for (unsigned int i = 1; i < n; i++)
		sprintf(hex + (i - 1) * 2, "%02x", id[i]);
	return arena_printf(k->arena, "%s/.build-id/%02x/%s.debug", k->debugdir, id[0], hex);
}

/* Names of files may have - in place of _ in module names. */
static bool is_file_of(const char *file, const char *module)
{
	size_t n = strlen(module);

	for (size_t i = 0; i < n; i++)
		if (file[i] != module[i] && !(file[i] == '-' && module[i] == '_'))
			return false;
	return strcmp(file + n, ".ko") == 0 || strcmp(file + n, ".ko.debug") == 0;
}

/*
 * Returns the path in the tree of the release, which has a folder for each kind of module; NULL:
 * none.
 */
static const char *path_of_module(struct kern *k, const char *release, const char *module)
{
	char *roots[] = {(char *)arena_printf(k->arena, "%s/lib/modules/%s", k->debugdir, release),
			 NULL};
	FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOSTAT, NULL);
	const char *path = NULL;
	FTSENT *e;

	while (tree && !path && (e = fts_read(tree)) != NULL)
		if (is_file_of(e->fts_name, module))
			path = arena_strdup(k->arena, e->fts_path);
	if (tree)
		fts_close(tree);
	return path ? path : "";
}

/* Returns the i-th place where distributions put the file; NULL: no more. */
static const char *path_of(struct kern *k, const char *module, const uint8_t *id, unsigned int n,
			   unsigned int i)
{
	struct utsname u;

	uname(&u);
	if (i == 0)
		return path_by_id(k, id, n);
	if (strcmp(module, "vmlinux") != 0)
		return i == 1 ? path_of_module(k, u.release, module) : NULL;
	return i == 1 ? arena_printf(k->arena, "%s/boot/vmlinux-%s", k->debugdir, u.release)
	       : i == 2
		   ? arena_printf(k->arena, "%s/lib/modules/%s/vmlinux", k->debugdir, u.release)
		   : NULL;
}

static Dwfl_Module *open_file(struct kern_debug *d, const char *path, const uint8_t *id,
			      unsigned int n)
{
	const unsigned char *bits;
	GElf_Addr at;
	Dwfl_Module *mod;

	if (access(path, R_OK) != 0)
		return NULL;
	progress_at("reading debug information of the kernel", 0, 0);
	d->callbacks.section_address = d->dw->dwfl_offline_section_address;
	d->dwfl = d->dw->dwfl_begin(&d->callbacks);
	if (!d->dwfl)
		return NULL;
	d->dw->dwfl_report_begin(d->dwfl);
	mod = d->dw->dwfl_report_offline(d->dwfl, "", path, -1);
	d->dw->dwfl_report_end(d->dwfl, NULL, NULL);
	if (mod && d->dw->dwfl_module_build_id(mod, &bits, &at) == (int)n &&
	    memcmp(bits, id, n) == 0)
		return mod;
	d->dw->dwfl_end(d->dwfl);
	d->dwfl = NULL;
	return NULL;
}

/* Returns the debug information of a module, or NULL.  Only the last module's is kept. */
static struct kern_debug *debug_of(struct kern *k, const char *module)
{
	struct kern_debug *d = k->debug;
	uint8_t id[BUILD_ID_MAX];
	unsigned int n;
	const char *path;

	if (!k->is_live || !k->machine->is_here || !k->debugdir || access(k->debugdir, R_OK) != 0)
		return NULL;
	if (d && strcmp(d->module, module) == 0)
		return d->mod ? d : NULL;
	kern_debug_free(d);
	d = k->debug = mem_alloc(sizeof(*d));
	d->module = arena_strdup(k->arena, module);
	n = strchr(module, '/') ? 0 : build_id(module, id);
	for (unsigned int i = 0; n && !d->mod && (path = path_of(k, module, id, n, i)); i++)
		if (access(path, R_OK) == 0 && (d->dw || (d->dw = dw_open())))
			d->mod = open_file(d, path, id, n);
	return d->mod ? d : NULL;
}

/* ---- types of variables ---- */

static bool add_part(struct kern_ctype *t, uint64_t part)
{
	if (t->nparts == KERN_CTYPE_PARTS)
		return false;
	t->parts[t->nparts++] = part;
	return true;
}

/* Adds one part for each dimension. */
static bool add_array(const struct kern_debug *d, Dwarf_Die *array, struct kern_ctype *t)
{
	Dwarf_Die dim;
	int r = d->dw->dwarf_child(array, &dim);

	for (; r == 0; r = d->dw->dwarf_siblingof(&dim, &dim))
		if (d->dw->dwarf_tag(&dim) == DW_TAG_subrange_type &&
		    !add_part(t, dw_dimension(d->dw, &dim)))
			return false;
	return true;
}

static const char *named(struct kern *k, const char *word, const char *name)
{
	return name ? arena_printf(k->arena, "%s%s", word, name) : NULL;
}

/* Describes a type down to one with a name.  Fails for void and functions. */
static bool describe(struct kern *k, const struct kern_debug *d, Dwarf_Die *die,
		     struct kern_ctype *t)
{
	const char *name = d->dw->dwarf_diename(die);
	Dwarf_Die to;

	switch (d->dw->dwarf_tag(die)) {
	case DW_TAG_base_type:
	case DW_TAG_typedef:
		t->name = named(k, "", name);
		return t->name != NULL;
	case DW_TAG_structure_type:
		t->name = named(k, "struct ", name);
		return t->name != NULL;
	case DW_TAG_union_type:
		t->name = named(k, "union ", name);
		return t->name != NULL;
	case DW_TAG_enumeration_type:
		t->name = named(k, "enum ", name);
		return t->name != NULL;
	case DW_TAG_pointer_type:
		if (!add_part(t, KERN_CTYPE_POINTER))
			return false;
		break;
	case DW_TAG_array_type:
		if (!add_array(d, die, t))
			return false;
		break;
	case DW_TAG_subroutine_type:
		t->name = "void";
		return true;
	default:
		break;
	}
	if (dw_follow(d->dw, die, DW_AT_type, &to))
		return describe(k, d, &to, t);
	t->name = "void";
	return true;
}

/* Declarations may leave the size of an array open, so they do not count. */
static bool is_variable(const struct kern_debug *d, Dwarf_Die *die, const char *name)
{
	const char *s = d->dw->dwarf_tag(die) == DW_TAG_variable ? d->dw->dwarf_diename(die) : NULL;

	return s && strcmp(s, name) == 0 && !d->dw->dwarf_hasattr(die, DW_AT_declaration);
}

bool kern_debug_type(struct kern *k, const struct kern_sym *sym, struct kern_ctype *res)
{
	const struct kern_debug *d = debug_of(k, sym->module);
	Dwarf_Die *cu = NULL, die, type;
	Dwarf_Addr bias;

	while (d && (cu = d->dw->dwfl_module_nextcu(d->mod, cu, &bias)) != NULL) {
		int r = d->dw->dwarf_child(cu, &die);

		for (; r == 0; r = d->dw->dwarf_siblingof(&die, &die)) {
			*res = (struct kern_ctype){0};
			if (is_variable(d, &die, sym->name) &&
			    dw_follow(d->dw, &die, DW_AT_type, &type) && describe(k, d, &type, res))
				return true;
		}
	}
	return false;
}

/* ---- places of inlined functions ---- */

struct search {
	struct kern *k;
	const struct kern_debug *d;
	Dwarf_Off origin; /* of the inlined function in this unit */
	Dwarf_Addr bias;
	kern_sym_list *res;
};

/* Adds a place, in the function of the preceding symbol.  The same place may occur twice. */
static void add_place(struct search *s, Dwarf_Addr addr)
{
	struct kern_sym func;
	GElf_Off off = 0;
	GElf_Sym sym;
	const char *name = s->d->dw->dwfl_module_addrname(s->d->mod, addr + s->bias);

	if (!name || !s->d->dw->dwfl_module_addrsym(s->d->mod, addr + s->bias, &sym, NULL))
		return;
	off = addr + s->bias - sym.st_value;
	if (!kern_sym_only(s->k, s->d->module, name, &func))
		return;
	func.addr += off;
	for (unsigned int i = 0; i < s->res->n; i++)
		if (s->res->a[i].addr == func.addr)
			return;
	vec_push(s->res, func);
}

/*
 * Finds places below a DIE.  A copy inside a copy of the same function is a part that was split
 * off.
 */
static void find_places(struct search *s, Dwarf_Die *parent)
{
	const struct kern_debug *d = s->d;
	Dwarf_Die die, origin;
	int r = d->dw->dwarf_child(parent, &die);

	for (; r == 0; r = d->dw->dwarf_siblingof(&die, &die)) {
		int tag = d->dw->dwarf_tag(&die);
		Dwarf_Addr addr = 0, end;

		if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_lexical_block)
			continue;
		if (tag == DW_TAG_lexical_block ||
		    !dw_follow(d->dw, &die, DW_AT_abstract_origin, &origin) ||
		    d->dw->dwarf_dieoffset(&origin) != s->origin)
			find_places(s, &die);
		else if (d->dw->dwarf_entrypc(&die, &addr) == 0 ||
			 d->dw->dwarf_ranges(&die, 0, &end, &addr, &end) > 0)
			add_place(s, addr);
	}
}

/* Returns the function in its unit if that says that it was inlined; 0: none. */
static Dwarf_Off find_inlined(const struct kern_debug *d, Dwarf_Die *cu, const char *name)
{
	Dwarf_Die die;
	int r = d->dw->dwarf_child(cu, &die);

	for (; r == 0; r = d->dw->dwarf_siblingof(&die, &die)) {
		const char *s;

		if (d->dw->dwarf_tag(&die) != DW_TAG_subprogram ||
		    !d->dw->dwarf_hasattr(&die, DW_AT_inline))
			continue;
		s = d->dw->dwarf_diename(&die);
		if (s && strcmp(s, name) == 0)
			return d->dw->dwarf_dieoffset(&die);
	}
	return 0;
}

bool kern_debug_inlined(struct kern *k, const char *module, const char *name, kern_sym_list *res)
{
	struct search s = {.k = k, .d = debug_of(k, module), .res = res};
	Dwarf_Die *cu = NULL, die;

	while (s.d && (cu = s.d->dw->dwfl_module_nextcu(s.d->mod, cu, &s.bias)) != NULL) {
		int r;

		s.origin = find_inlined(s.d, cu, name);
		r = s.origin ? s.d->dw->dwarf_child(cu, &die) : 1;
		for (; r == 0; r = s.d->dw->dwarf_siblingof(&die, &die))
			if (s.d->dw->dwarf_tag(&die) == DW_TAG_subprogram)
				find_places(&s, &die);
	}
	return s.d != NULL;
}

void kern_set_debugdir(struct kern *k, const char *dir)
{
	k->debugdir = dir;
}
