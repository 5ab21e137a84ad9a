/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * object.c: the object that -G makes.
 *
 * Headers (header.h) put the places of probes and their notes directly into the objects of a
 * program.  So this object has the semaphores only.
 *
 * Objects made with headers of other systems, or in other languages, call functions instead:
 * __dtrace_PROV___PROBE() and __dtraceenabled_PROV___PROBE().  This object defines the called ones:
 * each is a place, whose arguments are where the calling convention puts them.
 *
 * The object is text for the assembler of $CC, or else of cc.
 */
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/map.h"
#include "proc/image.h"
#include "proc/notes.h"
#include "compile/compile.h"
#include "compile/object.h"

#define STRINGS_MAX (256U << 20)
#define CHUNK	    512

/* Calling convention and instructions of a machine. */
struct target {
	uint16_t machine;
	bool is_32;
	const char *word;	  /* directive for an address */
	const char *const *args;  /* in registers, ended by NULL */
	const char *stack;	  /* operand of further ones; @: offset from the stack pointer */
	unsigned int first, size; /* offset of the first one on the stack; size of each */
	const char *nop;
	const char *enabled; /* loads semaphore @ and returns it */
};

static const struct target targets[] = {
    {EM_X86_64, false, ".8byte",
     (const char *const[]){"%rdi", "%rsi", "%rdx", "%rcx", "%r8", "%r9", NULL}, "@(%rsp)", 8, 8,
     "nop\n\tret", "\tmovzwl @(%rip), %eax\n\tret\n"},
    {EM_386, true, ".4byte", (const char *const[]){NULL}, "@(%esp)", 4, 4, "nop\n\tret",
     "\tcall 1f\n1:\tpop %eax\n\tmovzwl @ - 1b(%eax), %eax\n\tret\n"},
    {EM_AARCH64, false, ".8byte",
     (const char *const[]){"x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", NULL}, "[sp, @]", 0, 8,
     "nop\n\tret", "\tadrp x0, @\n\tldrh w0, [x0, :lo12:@]\n\tret\n"},
};

/* Facts about the objects. */
struct scan {
	struct compile *comp;
	const struct target *target;
	struct map *calls; /* undefined functions of probes, a set */
	struct map *provs; /* providers with a place */
	bool is_opaque;	   /* -flto: some have no symbols before they are linked */
};

/* Returns "request-start" as request__start, its name in C. */
static const char *in_c(struct scan *sc, const char *name)
{
	struct buf b = {0};
	const char *copy;

	for (; *name; name++) {
		if (*name == '-')
			buf_puts(&b, "__");
		else
			buf_putc(&b, *name);
	}
	copy = arena_strdup(sc->comp->arena, buf_str(&b));
	buf_free(&b);
	return copy;
}

/*
 * Returns the function of a probe, or without a probe the common prefix of the provider's
 * functions.
 */
static const char *function(struct scan *sc, const char *prefix, const char *prov,
			    const char *probe)
{
	return arena_printf(sc->comp->arena, "%s_%s___%s", prefix, in_c(sc, prov), in_c(sc, probe));
}

/* Writes the text with each @ replaced. */
static void put_filled(struct buf *b, const char *text, const char *by)
{
	for (; *text; text++) {
		if (*text == '@')
			buf_puts(b, by);
		else
			buf_putc(b, *text);
	}
}

/* ---- the objects ---- */

static void add_call(struct scan *sc, const Elf64_Sym *sym, const char *strings, uint64_t size)
{
	if (sym->st_shndx == SHN_UNDEF && sym->st_name < size &&
	    strncmp(strings + sym->st_name, "__dtrace", 8) == 0)
		map_set_str(sc->calls, arena_strdup(sc->comp->arena, strings + sym->st_name), sc);
}

static void scan_symbols(struct scan *sc, const struct image *im, const Elf64_Shdr *sh)
{
	const Elf64_Shdr *of = &im->sections.a[sh->sh_link];
	char *strings = image_section(im, of, STRINGS_MAX);
	Elf64_Sym chunk[CHUNK];
	size_t n = 0;

	for (uint64_t at = 0; strings; at += n) {
		n = image_symbols(im, sh, at, chunk, CHUNK);
		for (size_t i = 0; i < n; i++) {
			add_call(sc, &chunk[i], strings, of->sh_size);
			sc->is_opaque |= chunk[i].st_name < of->sh_size &&
					 strncmp(strings + chunk[i].st_name, "__gnu_lto", 9) == 0;
		}
		if (!n)
			break;
	}
	mem_free(strings);
}

static void scan_notes(struct scan *sc, int fd)
{
	struct notes ns = {0};

	notes_read(&ns, sc->comp->arena, fd);
	for (unsigned int i = 0; i < ns.list.n; i++)
		map_set_str(sc->provs, ns.list.a[i].prov, sc);
	notes_free(&ns);
}

static bool set_target(struct scan *sc, const char *path, const struct image *im)
{
	const struct target *t = NULL;

	for (size_t i = 0; i < sizeof(targets) / sizeof(targets[0]); i++)
		if (targets[i].machine == im->head.e_machine && targets[i].is_32 == im->is_32)
			t = &targets[i];
	if (t && (!sc->target || sc->target == t)) {
		sc->target = t;
		return true;
	}
	report_error(sc->comp->report, "failed to link script: %s is for another machine%s", path,
		     t ? " than the objects before it" : "");
	return false;
}

static bool scan_object(struct scan *sc, const char *path)
{
	int fd = file_open_ordinary(path);
	struct image im;
	bool ok = false;

	if (fd < 0) {
		report_error(sc->comp->report, "failed to open %s: %s", path, strerror(-fd));
		return false;
	}
	if (!image_read(&im, fd) || im.head.e_type != ET_REL)
		report_error(sc->comp->report, "failed to link script: %s is no object file", path);
	else
		ok = set_target(sc, path, &im);
	for (unsigned int i = 0; ok && i < im.sections.n; i++)
		if (im.sections.a[i].sh_type == SHT_SYMTAB &&
		    im.sections.a[i].sh_link < im.sections.n)
			scan_symbols(sc, &im, &im.sections.a[i]);
	if (ok)
		scan_notes(sc, fd);
	image_free(&im);
	close(fd);
	return ok;
}

/* ---- the text ---- */

static void put_semaphore(struct buf *b, const char *name)
{
	buf_printf(b,
		   "\t.section .probes, \"aw\", %%progbits\n\t.balign 2\n\t.globl %s\n\t.hidden "
		   "%s\n\t.type %s, %%object\n"
		   "\t.size %s, 2\n%s:\n\t.zero 2\n",
		   name, name, name, name, name);
}

/*
 * Writes "-4@%rdi".  Each argument occupies a word, of which the note takes the size of the
 * argument.
 */
static void put_args(struct scan *sc, struct buf *b, const struct probe_decl *d)
{
	const struct target *t = sc->target;
	unsigned int nregs = 0;

	while (t->args[nregs])
		nregs++;
	for (unsigned int i = 0; i < d->nnative && i < NOTE_ARGS; i++) {
		struct type *type = d->native[i].type;
		bool is_int = type_is_integer(type);
		int size =
		    is_int ? (int)type_sizeof(sc->comp->plan->env.types, type) : (int)t->size;
		char off[16];

		buf_printf(b, "%s%d@", i ? " " : "",
			   is_int && type_base(type)->is_signed ? -size : size);
		snprintf(off, sizeof(off), "%u", t->first + (i - nregs) * t->size);
		put_filled(b, i < nregs ? t->args[i] : t->stack, off);
	}
}

static void put_function(struct buf *b, const char *name)
{
	buf_printf(b, "\t.text\n\t.globl %s\n\t.hidden %s\n\t.type %s, %%function\n%s:\n", name,
		   name, name, name);
}

static void put_probe(struct scan *sc, struct buf *b, const char *func, const char *semaphore,
		      const struct provider_decl *pv, const struct probe_decl *d)
{
	put_function(b, func);
	buf_printf(b, "790:\t%s\n\t.size %s, . - %s\n", sc->target->nop, func, func);
	buf_puts(b, "\t.section .note.stapsdt, \"\", %note\n\t.balign 4\n"
		    "\t.4byte 792f - 791f, 794f - 793f, 3\n791:\t.asciz \"stapsdt\"\n"
		    "792:\t.balign 4\n");
	buf_printf(b, "793:\t%s 790b, _.stapsdt.base, %s\n\t.asciz \"%s\", \"%s\", \"",
		   sc->target->word, semaphore, in_c(sc, pv->name), in_c(sc, d->name));
	put_args(sc, b, d);
	buf_puts(b, "\"\n794:\t.balign 4\n");
}

static void put_enabled(struct scan *sc, struct buf *b, const char *func, const char *semaphore)
{
	put_function(b, func);
	put_filled(b, sc->target->enabled, semaphore);
	buf_printf(b, "\t.size %s, . - %s\n", func, func);
}

/* Returns true if a function of the provider is called.  The provider then has a place. */
static bool is_called(struct scan *sc, const struct provider_decl *pv, const char *func)
{
	if (!map_del(sc->calls, func, strlen(func)))
		return false;
	map_set_str(sc->provs, in_c(sc, pv->name), sc);
	return true;
}

static void put_decl(struct scan *sc, struct buf *b, const struct provider_decl *pv,
		     const struct probe_decl *d)
{
	const char *probe = function(sc, "__dtrace", pv->name, d->name);
	const char *enabled = function(sc, "__dtraceenabled", pv->name, d->name);
	const char *semaphore =
	    arena_printf(sc->comp->arena, "%s_%s_semaphore", in_c(sc, pv->name), in_c(sc, d->name));

	put_semaphore(b, semaphore);
	if (is_called(sc, pv, probe))
		put_probe(sc, b, probe, semaphore, pv, d);
	if (is_called(sc, pv, enabled))
		put_enabled(sc, b, enabled, semaphore);
}

static const char base[] =
    "\t.section .stapsdt.base, \"aG\", %progbits, .stapsdt.base, comdat\n"
    "\t.weak _.stapsdt.base\n\t.hidden _.stapsdt.base\n_.stapsdt.base:\n\t.space 1\n"
    "\t.size _.stapsdt.base, 1\n\t.section .note.GNU-stack, \"\", %progbits\n";

/* Returns false, with a message, if the declarations do not match the objects. */
static bool check_sites(struct scan *sc, const struct provider_decl *pv, bool has_objects)
{
	const char *const prefixes[] = {function(sc, "__dtrace", pv->name, ""),
					function(sc, "__dtraceenabled", pv->name, "")};
	const void *key;
	size_t pos = 0, n;

	while (map_next(sc->calls, &pos, &key, &n)) {
		const char *name = arena_strndup(sc->comp->arena, key, n);

		if (strncmp(name, prefixes[0], strlen(prefixes[0])) != 0 &&
		    strncmp(name, prefixes[1], strlen(prefixes[1])) != 0)
			continue;
		report_error(sc->comp->report,
			     "failed to link script: provider %s declares no probe for %s()",
			     pv->name, name);
		return false;
	}
	if (!has_objects || sc->is_opaque || map_get_str(sc->provs, in_c(sc, pv->name)))
		return true;
	report_error(sc->comp->report,
		     "failed to link script: No probe sites found for declared provider %s",
		     pv->name);
	return false;
}

static bool make_text(struct scan *sc, struct buf *b, bool has_objects)
{
	struct compile *comp = sc->comp;
	bool ok = true;

	for (unsigned int i = 0; i < comp->progs.n; i++) {
		for (struct provider_decl *p = comp->progs.a[i]->program->providers; p;
		     p = p->next) {
			for (struct probe_decl *d = p->probes; d; d = d->next)
				put_decl(sc, b, p, d);
			ok = ok && check_sites(sc, p, has_objects);
		}
	}
	buf_puts(b, base);
	return ok;
}

/* ---- the assembler ---- */

static bool assemble(struct scan *sc, const char *path, const struct buf *text)
{
	bool is_narrow = sc->target->machine == EM_386;
	char *const argv[] = {"sh",
			      "-c",
			      "exec ${CC:-cc} \"$@\"",
			      "cc",
			      "-c",
			      "-x",
			      "assembler",
			      "-o",
			      (char *)(uintptr_t)path,
			      "-",
			      is_narrow ? "-m32" : NULL,
			      NULL};
	int fds[2], status = -1;
	const char *p = text->s;
	size_t left = text->n;
	ssize_t n = 0;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0)
		return false;
	pid = fork();
	if (pid == 0) {
		dup2(fds[0], 0);
		execv("/bin/sh", argv);
		_exit(127);
	}
	close(fds[0]);
	for (; pid > 0 && left && (n = send(fds[1], p, left, MSG_NOSIGNAL)) > 0; p += n)
		left -= (size_t)n;
	close(fds[1]);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0 && !left;
}

/*
 * Assembles in a folder of its own, because the assembler would follow any link at the path.
 * Returns false with errno set, or with errno 0 if the assembler has failed.
 */
static bool assemble_to(struct scan *sc, const char *path, const struct buf *text)
{
	char folder[] = "/tmp/dtrace.XXXXXX", object[sizeof(folder) + 2];
	struct buf bytes = {0};
	bool ok = false;
	int fd, err = 0;

	if (!mkdtemp(folder))
		return false;
	snprintf(object, sizeof(object), "%s/o", folder);
	if (assemble(sc, object, text)) {
		fd = file_open_own(object, geteuid());
		ok = fd >= 0 && buf_read(&bytes, fd) && file_replace(path, bytes.s, bytes.n);
		err = ok ? 0 : errno;
		if (fd >= 0)
			close(fd);
	}
	unlink(object);
	rmdir(folder);
	buf_free(&bytes);
	errno = err;
	return ok;
}

bool object_write(struct compile *comp, const char *path, char *const *objects, unsigned int n)
{
	struct scan sc = {.comp = comp, .calls = map_new(), .provs = map_new()};
	struct buf text = {0};
	bool ok = true;

	for (unsigned int i = 0; i < n && ok; i++)
		ok = scan_object(&sc, objects[i]);
	for (size_t i = 0; !sc.target; i++)
		if (targets[i].machine == arch_native->machine)
			sc.target = &targets[i];
	ok = ok && make_text(&sc, &text, n > 0);
	if (ok && !assemble_to(&sc, path, &text)) {
		if (errno)
			report_error(comp->report,
				     "failed to link script: could not write '%s': %s", path,
				     file_why());
		else
			report_error(
			    comp->report,
			    "failed to link script: the assembler (%s -c) could not make %s",
			    getenv("CC") ? getenv("CC") : "cc", path);
		ok = false;
	}
	map_free(sc.calls);
	map_free(sc.provs);
	buf_free(&text);
	return ok;
}
