/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ctf.c: converts CTF, which libctf reads, to BTF, so that other code handles only BTF.  Each type
 * becomes one.  Types that BTF cannot express become void.
 *
 * The library trusts files, which belong to others, so it reads them in a jail.  It is loaded only
 * for files with CTF.  The declarations here follow Debian's documentation of version 0
 * (libctf-nobfd.so.0).
 */
#include <dlfcn.h>
#include <errno.h>

#include "base/btf.h"
#include "base/buf.h"
#include "base/mem.h"
#include "proc/debug.h"
#include "proc/info_priv.h"
#include "proc/jail.h"

#define LIBCTF	    "libctf-nobfd.so.0"
#define SECTION_MAX (64 << 20) /* bytes */

/* ---- the library ---- */

struct ctf_dict;
struct ctf_archive;
struct ctf_next;
typedef unsigned long ctf_id;

struct ctf_section {
	const char *name;
	const void *data;
	size_t size, entry;
};

struct ctf_encoding {
	uint32_t format, offset, bits;
};

struct ctf_array {
	ctf_id element, index;
	uint32_t n;
};

struct ctf_function {
	ctf_id result;
	uint32_t nargs, flags;
};

enum ctf_kind {
	CTF_UNKNOWN,
	CTF_INTEGER,
	CTF_FLOAT,
	CTF_POINTER,
	CTF_ARRAY,
	CTF_FUNCTION,
	CTF_STRUCT,
	CTF_UNION,
	CTF_ENUM,
	CTF_FORWARD,
	CTF_TYPEDEF,
	CTF_VOLATILE,
	CTF_CONST,
	CTF_RESTRICT,
	CTF_SLICE, /* some bits of another type */
};

#define BTF_ENCODINGS (BTF_INT_SIGNED | BTF_INT_CHAR | BTF_INT_BOOL) /* equal to CTF's */

#define CTF_ERR	  ((ctf_id)-1)
#define CTF_INDEX 0x7fffffffUL /* index of an id; dictionaries of units set the bit above */

#define CTF_FUNCTIONS(X)                                                                       \
	X(struct ctf_archive *, arc_bufopen,                                                   \
	  (const struct ctf_section *, const struct ctf_section *, const struct ctf_section *, \
	   int *))                                                                             \
	X(struct ctf_dict *, archive_next,                                                     \
	  (const struct ctf_archive *, struct ctf_next **, const char **, int, int *))         \
	X(ctf_id, type_next, (struct ctf_dict *, struct ctf_next **, int *, int))              \
	X(ctf_id, symbol_next, (struct ctf_dict *, struct ctf_next **, const char **, int))    \
	X(ssize_t, member_next,                                                                \
	  (struct ctf_dict *, ctf_id, struct ctf_next **, const char **, ctf_id *, int))       \
	X(const char *, enum_next, (struct ctf_dict *, ctf_id, struct ctf_next **, int *))     \
	X(int, type_ischild, (struct ctf_dict *, ctf_id))                                      \
	X(int, type_kind, (struct ctf_dict *, ctf_id))                                         \
	X(int, type_kind_forwarded, (struct ctf_dict *, ctf_id))                               \
	X(const char *, type_name_raw, (struct ctf_dict *, ctf_id))                            \
	X(ssize_t, type_size, (struct ctf_dict *, ctf_id))                                     \
	X(ctf_id, type_reference, (struct ctf_dict *, ctf_id))                                 \
	X(int, type_encoding, (struct ctf_dict *, ctf_id, struct ctf_encoding *))              \
	X(int, array_info, (struct ctf_dict *, ctf_id, struct ctf_array *))                    \
	X(int, func_type_info, (struct ctf_dict *, ctf_id, struct ctf_function *))             \
	X(int, func_type_args, (struct ctf_dict *, ctf_id, uint32_t, ctf_id *))                \
	X(void, next_destroy, (struct ctf_next *))                                             \
	X(void, dict_close, (struct ctf_dict *))                                               \
	X(void, arc_close, (struct ctf_archive *))

struct ctf {
	void *lib;
#define X(type, name, args) type(*name) args;
	CTF_FUNCTIONS(X)
#undef X
};

static bool load(struct ctf *c)
{
	bool has_all;

	c->lib = dlopen(LIBCTF, RTLD_NOW | RTLD_LOCAL);
	has_all = c->lib != NULL;
#define X(type, name, args) \
	has_all = has_all && (c->name = (type(*) args)dlsym(c->lib, "ctf_" #name)) != NULL;
	CTF_FUNCTIONS(X)
#undef X
	return has_all;
}

/* ---- dictionaries: one for all units, and one for each unit's own types ---- */

/* Types in BTF have the order of the dictionary. */
struct types_of {
	uint32_t first, n;
};

struct job {
	const struct ctf *c;
	struct ctf_dict *dict;
	struct btf *btf;
	struct types_of shared, own;
};

static int ref(const struct job *j, ctf_id id)
{
	const struct types_of *of = j->c->type_ischild(j->dict, id) ? &j->own : &j->shared;
	uint32_t index = (uint32_t)(id & CTF_INDEX);

	return id != CTF_ERR && index && index <= of->n ? (int)(of->first + index - 1) : 0;
}

/* A bit-field has its own type, which refers to the whole type. */
static int add_members(const struct job *j, ctf_id id)
{
	struct ctf_next *it = NULL;
	const char *name;
	ctf_id type;
	ssize_t off;
	int err = 0;

	while (!err && (off = j->c->member_next(j->dict, id, &it, &name, &type, 0)) >= 0) {
		struct ctf_encoding e = {0};
		ctf_id whole = CTF_ERR;

		if (j->c->type_encoding(j->dict, type, &e) == 0)
			whole = j->c->type_reference(j->dict, type);
		if (whole != CTF_ERR)
			err = btf__add_field(j->btf, name, ref(j, whole), (uint32_t)off + e.offset,
					     e.bits);
		else
			err = btf__add_field(j->btf, name, ref(j, type), (uint32_t)off, 0);
	}
	j->c->next_destroy(it);
	return err;
}

static int add_enum(const struct job *j, ctf_id id, const char *name, uint32_t size)
{
	int at = btf__add_enum(j->btf, name, size), value, err = at < 0 ? at : 0;
	struct ctf_next *it = NULL;

	while (!err && (name = j->c->enum_next(j->dict, id, &it, &value)))
		err = btf__add_enum_value(j->btf, name, value);
	j->c->next_destroy(it);
	return err ? err : at;
}

static int add_array(const struct job *j, ctf_id id)
{
	struct ctf_array a;

	if (j->c->array_info(j->dict, id, &a) != 0)
		return -EINVAL;
	return btf__add_array(j->btf, ref(j, a.index), ref(j, a.element), (int)a.n);
}

static int add_function(const struct job *j, ctf_id id)
{
	struct ctf_function f;
	int at, err = 0;
	ctf_id *args;

	if (j->c->func_type_info(j->dict, id, &f) != 0)
		return -EINVAL;
	at = btf__add_func_proto(j->btf, ref(j, f.result));
	args = mem_alloc((f.nargs + 1ULL) * sizeof(*args));
	if (j->c->func_type_args(j->dict, id, f.nargs, args) == 0)
		for (uint32_t i = 0; at > 0 && !err && i < f.nargs; i++)
			err = btf__add_func_param(j->btf, NULL, ref(j, args[i]));
	mem_free(args);
	return err ? err : at;
}

static int add_fwd(const struct job *j, ctf_id id, const char *name)
{
	bool is_union = j->c->type_kind_forwarded(j->dict, id) == CTF_UNION;

	return btf__add_fwd(j->btf, name, is_union ? BTF_FWD_UNION : BTF_FWD_STRUCT);
}

static int add_composite(const struct job *j, ctf_id id, const char *name, uint32_t size,
			 bool is_union)
{
	int at =
	    is_union ? btf__add_union(j->btf, name, size) : btf__add_struct(j->btf, name, size);
	int err = at < 0 ? at : add_members(j, id);

	return err ? err : at;
}

static int add_type(const struct job *j, ctf_id id)
{
	const char *name = j->c->type_name_raw(j->dict, id);
	uint32_t size = (uint32_t)j->c->type_size(j->dict, id);
	enum ctf_kind kind = (enum ctf_kind)j->c->type_kind(j->dict, id);
	int to = ref(j, j->c->type_reference(j->dict, id));
	struct ctf_encoding e = {0};

	switch (kind) {
	case CTF_INTEGER:
		j->c->type_encoding(j->dict, id, &e);
		return btf__add_int(j->btf, name, size, (int)e.format & BTF_ENCODINGS);
	case CTF_FLOAT:
		return btf__add_float(j->btf, name, size);
	case CTF_POINTER:
		return btf__add_ptr(j->btf, to);
	case CTF_ARRAY:
		return add_array(j, id);
	case CTF_FUNCTION:
		return add_function(j, id);
	case CTF_STRUCT:
	case CTF_UNION:
		return add_composite(j, id, name, size, kind == CTF_UNION);
	case CTF_ENUM:
		return add_enum(j, id, name, size);
	case CTF_FORWARD:
		return add_fwd(j, id, name);
	case CTF_TYPEDEF:
		return btf__add_typedef(j->btf, name, to);
	case CTF_VOLATILE:
		return btf__add_volatile(j->btf, to);
	case CTF_CONST:
		return btf__add_const(j->btf, to);
	case CTF_RESTRICT:
		return btf__add_restrict(j->btf, to);
	case CTF_UNKNOWN:
	case CTF_SLICE:
		break;
	}
	return -EINVAL;
}

static uint32_t next_id(const struct job *j)
{
	return btf__type_cnt(j->btf);
}

/* Returns the number of types in the dictionary.  Sets *is_own if they belong to one unit. */
static uint32_t count_types(const struct job *j, bool *is_own)
{
	struct ctf_next *it = NULL;
	uint32_t n = 0;
	ctf_id id;

	while ((id = j->c->type_next(j->dict, &it, NULL, 1)) != CTF_ERR) {
		*is_own = j->c->type_ischild(j->dict, id);
		n++;
	}
	return n;
}

/* Returns false if a type's id differs from the one that references use. */
static bool add_types(const struct job *j)
{
	struct ctf_next *it = NULL;
	bool ok = true;
	ctf_id id;

	while (ok && (id = j->c->type_next(j->dict, &it, NULL, 1)) != CTF_ERR) {
		uint32_t at = next_id(j);

		if (add_type(j, id) < 0 && next_id(j) == at)
			btf__add_const(j->btf, 0);
		ok = ref(j, id) == (int)at && next_id(j) == at + 1;
	}
	j->c->next_destroy(it);
	return ok;
}

static bool add_dict(struct job *j)
{
	struct ctf_next *it = NULL;
	const char *name;
	bool is_own = false;
	uint32_t n = count_types(j, &is_own);
	ctf_id id;

	*(is_own ? &j->own : &j->shared) = (struct types_of){next_id(j), n};
	if (!add_types(j))
		return false;
	while ((id = j->c->symbol_next(j->dict, &it, &name, 1)) != CTF_ERR)
		btf__add_func(j->btf, name, BTF_FUNC_GLOBAL, ref(j, id));
	return true;
}

/* Returns NULL if libctf cannot read the sections, or contradicts itself. */
static struct btf *convert(const struct ctf *c, const struct ctf_section *sections)
{
	struct ctf_next *it = NULL;
	struct ctf_archive *arc;
	struct job j = {.c = c};
	bool ok;
	int err = 0;

	arc = c->arc_bufopen(&sections[0], &sections[1], &sections[2], &err);
	j.btf = arc ? btf__new_empty() : NULL;
	ok = j.btf != NULL;
	while (ok && (j.dict = c->archive_next(arc, &it, NULL, 0, &err))) {
		ok = add_dict(&j);
		c->dict_close(j.dict);
	}
	c->next_destroy(it);
	c->arc_close(arc);
	if (!ok) {
		btf__free(j.btf);
		j.btf = NULL;
	}
	return j.btf;
}

/* ---- the jail ---- */

struct ctf_job {
	struct ctf lib;
	struct ctf_section sections[3]; /* types, symbols, names of symbols */
};

static void answer(void *ctx, const void *question, size_t n, struct buf *to)
{
	const struct ctf_job *cj = ctx;
	struct btf *btf = convert(&cj->lib, cj->sections);
	uint32_t size = 0;
	const void *data = btf ? btf__raw_data(btf, &size) : NULL;

	buf_add(to, data, data ? size : 0);
	btf__free(btf);
}

static bool ask_jail(struct ctf_job *cj, const char *path, struct debug_dir *dir, struct buf *to)
{
	struct jail *j = jail_new(&(struct jail_reader){.answer = answer, .ctx = cj});

	if (!jail_ask(j, NULL, 0, to))
		debug_failed(dir, path, jail_error(j));
	jail_free(j);
	return to->n > 0;
}

static bool read_section(const struct image *im, const char *name, struct ctf_section *to)
{
	const Elf64_Shdr *sh = image_find(im, name);

	*to = (struct ctf_section){.name = name};
	to->data = sh ? image_section(im, sh, SECTION_MAX) : NULL;
	if (!to->data)
		return false;
	to->size = sh->sh_size;
	to->entry = sh->sh_entsize;
	return true;
}

/* Linkers record types of global functions, if there are dynamic symbols. */
bool ctf_to_btf(const struct image *im, const char *path, struct debug_dir *dir, struct buf *to)
{
	bool is_dynamic = image_find(im, ".dynsym");
	struct ctf_job cj = {0};
	bool ok = read_section(im, ".ctf", &cj.sections[0]) &&
		  read_section(im, is_dynamic ? ".dynsym" : ".symtab", &cj.sections[1]) &&
		  read_section(im, is_dynamic ? ".dynstr" : ".strtab", &cj.sections[2]) &&
		  load(&cj.lib) && ask_jail(&cj, path, dir, to);

	for (unsigned int i = 0; i < 3; i++)
		mem_free((void *)cj.sections[i].data);
	if (cj.lib.lib)
		dlclose(cj.lib.lib);
	return ok;
}
