/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * libs.c: D libraries, loaded when a program mentions a name that one of them declares.
 *
 * Every library has an index of the names that it declares (lang/index.h).  Before a program is
 * compiled, its words are looked up in the indexes.  A wanted library in turn wants the libraries
 * of its words.  The system's libraries are part of the executable, with their indexes.  A file of
 * equal name in a -L directory replaces one of them.
 */
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/map.h"
#include "proc/image.h"
#include "compile/libs.h"
#include "compile/compile.h"
#include "sys/machine.h"

/* A word of a library's index. */
struct lib_name {
	struct library *lib;
	const struct index_name *row;
	struct lib_name *next; /* of the same word */
};

char *compile_read_file(struct compile *comp, const char *path, unsigned int *len)
{
	int fd = file_open(path, O_RDONLY);
	struct buf b = {0};
	char *text = NULL;

	if (fd < 0)
		return NULL;
	if (buf_read(&b, fd)) {
		text = arena_strndup(comp->arena, buf_str(&b), b.n);
		*len = (unsigned int)b.n;
	}
	close(fd);
	buf_free(&b);
	return text;
}

static void add_names(struct compile *comp, struct library *lib)
{
	for (const struct index_name *row = lib->index.names; row->name; row++) {
		struct lib_name *n = arena_new_obj(comp->arena, struct lib_name);

		*n = (struct lib_name){lib, row, map_get_str(comp->lib_names, row->name)};
		map_set_str(comp->lib_names, row->name, n);
	}
}

/* Returns NULL if a library of this name exists.  INDEX is NULL if it is not known yet. */
static struct library *add(struct compile *comp, const char *base, const char *name,
			   const char *text, unsigned int len, const struct lang_index *index)
{
	struct library *lib;

	for (unsigned int i = 0; i < comp->libs.n; i++)
		if (strcmp(comp->libs.a[i]->base, base) == 0)
			return NULL;
	lib = arena_new_obj(comp->arena, struct library);
	lib->base = base;
	lib->src = (struct source){.name = name, .text = text, .len = len, .is_library = true};
	lib->index = index ? *index : lang_index(comp->arena, text, len);
	add_names(comp, lib);
	vec_push(&comp->libs, lib);
	return lib;
}

#define LIBRARY_MAX (16U << 20) /* bytes */

/*
 * Returns the text of a library; NULL: the file is no regular file, or larger than any library, and
 * a message says so.  A -L directory can contain anything under such a name.
 */
static char *read_library(struct compile *comp, const char *path, unsigned int *len)
{
	int fd = file_open_ordinary(path);
	const char *why = NULL;
	char *text = NULL;
	struct stat st;
	ssize_t n = -1;

	if (fd == -EINVAL) {
		why = "it is no regular file";
	} else if (fd < 0 || fstat(fd, &st) != 0) {
		why = strerror(fd < 0 ? -fd : errno);
	} else if (st.st_size > LIBRARY_MAX) {
		why = "it has more than 16 MB";
	} else {
		text = arena_new_arr(comp->arena, char, (size_t)st.st_size + 1);
		n = read(fd, text, (size_t)st.st_size);
		if (n < 0)
			why = strerror(errno);
	}
	if (fd >= 0)
		close(fd);
	if (why)
		report_error(comp->report, "library %s is left out: %s", path, why);
	*len = n < 0 ? 0 : (unsigned int)n;
	return n < 0 ? NULL : text;
}

static int name_cmp(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static void scan_dir(struct compile *comp, const char *dir)
{
	struct dirent **list;
	int n = scandir(dir, &list, NULL, name_cmp);

	for (int i = 0; i < n; i++) {
		const char *base = arena_strdup(comp->arena, list[i]->d_name),
			   *dot = strrchr(base, '.');

		free(list[i]);
		if (dot && strcmp(dot, ".d") == 0) {
			char *path = arena_printf(comp->arena, "%s/%s", dir, base), *text;
			struct library *lib;
			unsigned int len;

			text = read_library(comp, path, &len);
			lib = text ? add(comp, base, path, text, len, NULL) : NULL;
			if (lib)
				lib->is_user = true;
		}
	}
	if (n >= 0)
		free(list);
}

static void want(struct compile *comp, struct library *lib);
static bool is_met(struct compile *comp, struct library *lib);

/* ---- words of a source ---- */

struct word {
	enum index_word kind;
	const char *s;
	unsigned int len;
};

struct words {
	const struct source *src;
	VEC(struct word) list;
};

static void add_word(void *ctx, enum index_word kind, const char *s, unsigned int len)
{
	struct words *w = ctx;

	vec_push(&w->list, ((struct word){kind, s, len}));
}

static bool has_word(const struct words *w, const char *word)
{
	for (unsigned int i = 0; i < w->list.n; i++)
		if (w->list.a[i].len == strlen(word) &&
		    memcmp(w->list.a[i].s, word, w->list.a[i].len) == 0)
			return true;
	return false;
}

/*
 * Returns true if a source that names the output type of a translator might use the translator.
 * The operand of an xlate may be of any type, and users may give the input type a name of their
 * own.
 */
static bool may_translate(const struct words *w, const char *in)
{
	return !w->src->is_library || has_word(w, "xlate") || has_word(w, in);
}

/* Wants the libraries that declare a name, or that have a translator to it which W might use. */
static void want_name(struct compile *comp, const struct words *w, const char *s, size_t len)
{
	const struct lib_name *n = map_get(comp->lib_names, s, len);

	for (; n; n = n->next)
		if (!n->lib->is_wanted && (!n->row->in || may_translate(w, n->row->in)))
			want(comp, n->lib);
}

static void want_words(struct compile *comp, const struct source *src)
{
	struct words w = {.src = src};

	lang_words(src->text, src->len, add_word, &w);
	for (unsigned int i = 0; i < w.list.n; i++) {
		const struct word *word = &w.list.a[i];

		if (word->kind == INDEX_NAME) {
			want_name(comp, &w, word->s, word->len);
		} else if (word->kind == INDEX_SYMBOL) {
			const char *in = arena_printf(comp->arena, LANG_STAND_IN "%.*s",
						      (int)word->len, word->s);

			want_name(comp, &w, in, strlen(in));
		}
	}
	vec_free(&w.list);
}

static void want(struct compile *comp, struct library *lib)
{
	if (lib->is_wanted || lib->index.of_process || !is_met(comp, lib))
		return;
	lib->is_wanted = true;
	report_debug(comp->report, "library %s is wanted", lib->src.name);
	want_words(comp, &lib->src);
}

bool libs_have(struct compile *comp, const char *kind, const char *name)
{
	if (strcmp(kind, "module") == 0)
		return strcmp(name, "vmlinux") == 0 ||
		       sys_exists(comp->machine, arena_printf(comp->arena, "/sys/module/%s", name));
	for (unsigned int i = 0; i < provider_count; i++)
		if (strcmp(provider_table[i]->name, name) == 0)
			return true;
	for (unsigned int i = 0; i < comp->libs.n; i++)
		for (const struct index_probe *p = comp->libs.a[i]->index.probes; p->name; p++)
			if (strcmp(p->prov, name) == 0)
				return true;
	return false;
}

static struct library *by_base(struct compile *comp, const char *base)
{
	for (unsigned int i = 0; i < comp->libs.n; i++)
		if (strcmp(comp->libs.a[i]->base, base) == 0)
			return comp->libs.a[i];
	return NULL;
}

static bool has_depend(struct compile *comp, struct library *lib, const struct index_depend *d)
{
	struct library *other;

	if (strcmp(d->kind, "library") != 0)
		return libs_have(comp, d->kind, d->name);
	other = by_base(comp, d->name);
	if (!other)
		report_error(comp->report, "Invalid library dependency in %s: %s", lib->src.name,
			     d->name);
	else if (other->state == DEPENDS_ASKED)
		report_error(comp->report, "Cyclic dependency detected: %s => %s", lib->src.name,
			     other->src.name);
	comp->libs_refused |= !other || other->state == DEPENDS_ASKED;
	return other && is_met(comp, other);
}

/*
 * Returns true if the dependencies of the library exist.  Otherwise no program can use the library.
 */
static bool is_met(struct compile *comp, struct library *lib)
{
	if (lib->state == DEPENDS_UNKNOWN) {
		bool ok = true;

		lib->state = DEPENDS_ASKED;
		for (const struct index_depend *d = lib->index.depends; ok && d->name; d++)
			ok = has_depend(comp, lib, d);
		lib->state = ok ? DEPENDS_MET : DEPENDS_UNMET;
	}
	return lib->state == DEPENDS_MET;
}

static void scan_all(struct compile *comp)
{
	for (unsigned int i = 0; i < comp->libdirs.n; i++)
		scan_dir(comp, comp->libdirs.a[i]);
	if (comp->opts->is_set[OPT_syslibdir]) {
		scan_dir(comp, comp->opts->text[OPT_syslibdir]);
		return;
	}
	for (unsigned int i = 0; i < dlib_count; i++) {
		struct library *lib =
		    add(comp, dlib_files[i].name, dlib_files[i].name, dlib_files[i].text,
			dlib_files[i].len, &dlib_files[i].index);

		if (lib)
			lib->number = i;
	}
}

bool libs_scan(struct compile *comp)
{
	if (comp->opts->is_set[OPT_nolibs])
		return true;
	scan_all(comp);
	for (unsigned int i = 0; i < comp->libs.n; i++)
		is_met(comp, comp->libs.a[i]);
	return !comp->libs_refused;
}

/* Returns true if the probes of the library are numbered by their names. */
static bool is_hashed(const struct library *lib)
{
	return lib->is_user || lib->src.is_of_process;
}

/* Returns the structure of a provider of a library, to which its probes point. */
static struct provider *provider_of(struct compile *comp, const struct library *lib,
				    const struct provider_decl *pd)
{
	const char *key = arena_printf(comp->arena, "%d %s", is_hashed(lib), pd->name);
	struct provider *pv = map_get_str(comp->provider_structs, key);

	if (!pv) {
		pv = arena_new_obj(comp->arena, struct provider);
		pv->name = pd->name;
		pv->ids = is_hashed(lib) ? probe_ids_user : probe_ids_system;
		for (int i = 0; i < 5; i++)
			pv->attrs[i] = pd->attrs[i];
		map_set_str(comp->provider_structs, key, pv);
	}
	return pv;
}

bool libs_lacks_module(struct compile *comp, const struct library *lib, const struct probe_decl *d)
{
	for (const struct clause *c = lib->program->clauses; *d->mod && c; c = c->next) {
		const char *mod = c->site_of ? c->site_of->mod : NULL, *in = c->descs[0].mod;

		if (mod && in && strcmp(mod, d->mod) == 0 && strcmp(in, mod) == 0)
			return !libs_have(comp, "module", mod);
	}
	return false;
}

#define LIBRARY_PROBES 100 /* ids of each system library */

/*
 * Probes of system libraries are numbered as they are declared.  Probes of other libraries are
 * numbered by their names, because the next run may have other libraries.
 */
static void add_probes(struct compile *comp, struct library *lib)
{
	uint32_t n = 0;

	for (struct provider_decl *pd = lib->program->providers; pd; pd = pd->next) {
		struct provider *pv = provider_of(comp, lib, pd);

		for (struct probe_decl *d = pd->probes; d; d = d->next, n++) {
			struct probe *p;

			assert(is_hashed(lib) || n < LIBRARY_PROBES);
			if (libs_lacks_module(comp, lib, d))
				continue;
			p = is_hashed(lib) ? probe_add_near(comp->plan->env.probes, pv,
							    probe_index(pd->name, d->name) ^
								probe_index(d->mod, d->func),
							    pd->name, d->mod, d->func, d->name)
					   : probe_add(comp->plan->env.probes, pv,
						       lib->number * LIBRARY_PROBES + n, pd->name,
						       d->mod, d->func, d->name);
			if (p)
				p->decl = d;
		}
	}
	for (struct clause *c = lib->program->clauses; c; c = c->next)
		vec_push(&comp->lib_clauses, c);
}

static bool load(struct compile *comp, struct library *lib)
{
	if (lib->is_loaded)
		return true;
	lib->is_loaded = true;
	for (const struct index_depend *d = lib->index.depends; d->name; d++)
		if (strcmp(d->kind, "library") == 0 && !load(comp, by_base(comp, d->name)))
			return false;
	lib->program = lang_compile_library(comp->plan->env.lang, &lib->src);
	if (!lib->program)
		return false;
	add_probes(comp, lib);
	return true;
}

static bool load_wanted(struct compile *comp)
{
	for (unsigned int i = 0; i < comp->libs.n; i++)
		if (comp->libs.a[i]->is_wanted && !load(comp, comp->libs.a[i]))
			return false;
	return true;
}

/* Adds the library of one process, made from the text for all processes. */
static void add_of_process(struct compile *comp, const struct library *all, const char *number)
{
	const char *base = arena_printf(comp->arena, "%s%s.d", all->index.of_process, number),
		   *next;
	struct buf b = {0};
	struct library *lib;

	for (const char *p = all->src.text; p; p = next) {
		next = strstr(p, INDEX_OF_PROCESS);
		buf_add(&b, p, next ? (size_t)(next - p) : strlen(p));
		if (next) {
			buf_puts(&b, number);
			next += strlen(INDEX_OF_PROCESS);
		}
	}
	lib = add(comp, base, base, arena_strndup(comp->arena, b.s, b.n), (unsigned int)b.n, NULL);
	if (lib)
		lib->src.is_of_process = true;
	buf_free(&b);
}

/* Adds the library of a process if the description names such a provider and a pid. */
static void add_processes(struct compile *comp, const struct pdesc *d)
{
	for (unsigned int i = 0, n = d->prov ? comp->libs.n : 0; i < n; i++) {
		const struct library *lib = comp->libs.a[i];
		size_t len = lib->index.of_process ? strlen(lib->index.of_process) : 0;

		if (len && strncmp(d->prov, lib->index.of_process, len) == 0 && d->prov[len] &&
		    !d->prov[len + strspn(d->prov + len, "0123456789")])
			add_of_process(comp, lib, d->prov + len);
	}
}

void libs_want_name(struct compile *comp, const char *name)
{
	want_name(comp, &(struct words){.src = &(struct source){.text = name}}, name, strlen(name));
}

bool libs_load_probes(struct compile *comp, const struct pdesc *d)
{
	add_processes(comp, d);
	for (unsigned int i = 0; i < comp->libs.n; i++) {
		struct library *lib = comp->libs.a[i];

		for (const struct index_probe *lp = lib->index.probes; lp->name; lp++)
			if (d->id ||
			    (probe_glob(d->prov, lp->prov) && probe_glob(d->name, lp->name)))
				want(comp, lib);
	}
	return load_wanted(comp);
}

/* Loads the other libraries of the user.  Their errors count only if checks_libs is set. */
static bool load_users(struct compile *comp)
{
	for (unsigned int i = 0; i < comp->libs.n; i++) {
		struct library *lib = comp->libs.a[i];
		unsigned int nerrors = comp->diags.n;

		if (!lib->is_user || lib->is_loaded)
			continue;
		want(comp, lib);
		if (load_wanted(comp))
			continue;
		if (comp->checks_libs)
			return false;
		comp->diags.n = nerrors;
	}
	return true;
}

bool libs_load_for(struct compile *comp, const struct source *src)
{
	want_words(comp, src);
	return load_wanted(comp) && load_users(comp);
}

bool libs_check_all(struct compile *comp)
{
	for (unsigned int i = 0; i < comp->libs.n; i++)
		want(comp, comp->libs.a[i]);
	if (!load_wanted(comp))
		return false;
	for (unsigned int i = 0; i < comp->libs.n; i++) {
		struct program *p = comp->libs.a[i]->is_user ? comp->libs.a[i]->program : NULL;

		for (struct clause *c = p ? p->clauses : NULL; c; c = c->next)
			if (!c->site_of && !lang_check_clause(comp->plan->env.lang, c))
				return false;
	}
	return true;
}

void libs_free(struct compile *comp)
{
	map_free(comp->lib_names);
	vec_free(&comp->libs);
	vec_free(&comp->libdirs);
	vec_free(&comp->lib_clauses);
	map_free(comp->provider_structs);
}
