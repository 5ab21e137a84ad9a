/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * notes.c: reads notes.  A note is three addresses of the file's own size and three strings:
 * provider, name, arguments.  The file is not trusted (image.h).
 */
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/arena.h"
#include "proc/image.h"
#include "proc/notes.h"

#define SECTION_MAX (16U << 20) /* bytes of notes of a file; the largest known has 200,000 */
#define NOTES_MAX   65536U
#define NAMES_MAX   (1U << 20) /* bytes of the names of sections */
#define SYMBOLS_MAX (4U << 20) /* symbols, and bytes of their names, looked through for one */
#define STRINGS_MAX (512U << 20)
#define CHUNK	    512
#define STAPSDT	    3 /* type of a note */

/* Where and what a file is. */
struct reader {
	const struct image *im;
	struct arena *arena;
	struct notes *to;
	uint64_t base; /* address of section .stapsdt.base now; 0: none */
};

/* ---- symbols ---- */

/* A symbol with an address, or, in_thread, a variable of each thread. */
static bool is_wanted(const Elf64_Sym *s, bool in_thread)
{
	if (in_thread)
		return ELF64_ST_TYPE(s->st_info) == STT_TLS && s->st_shndx != SHN_UNDEF;
	return s->st_value && ELF64_ST_TYPE(s->st_info) != STT_TLS;
}

static bool find_in(const struct image *im, const Elf64_Shdr *sh, const struct operand *op,
		    uint64_t *addr)
{
	const Elf64_Shdr *strings = &im->sections.a[sh->sh_link];
	char *text = image_section(im, strings, STRINGS_MAX);
	static _Thread_local Elf64_Sym chunk[CHUNK];
	bool found = false;
	size_t n;

	for (uint64_t at = 0; text && at < SYMBOLS_MAX && !found; at += n) {
		n = image_symbols(im, sh, at, chunk, CHUNK);
		for (size_t i = 0; i < n && !found; i++) {
			const Elf64_Sym *s = &chunk[i];

			found = is_wanted(s, op->in_thread) && s->st_name < strings->sh_size &&
				strncmp(text + s->st_name, op->symbol, op->nsymbol) == 0 &&
				!text[s->st_name + op->nsymbol];
			*addr = s->st_value;
		}
		if (!n)
			break;
	}
	mem_free(text);
	return found;
}

static bool find_symbol(const struct image *im, const struct operand *op, uint64_t *addr)
{
	for (unsigned int i = 0; i < im->sections.n; i++) {
		const Elf64_Shdr *sh = &im->sections.a[i];

		if ((sh->sh_type == SHT_SYMTAB || sh->sh_type == SHT_DYNSYM) &&
		    sh->sh_link < im->sections.n && find_in(im, sh, op, addr))
			return true;
	}
	return false;
}

/* Where the variables of a thread of a program begin, from the thread pointer on: they end there
 * ("ELF Handling For Thread-Local Storage", variant II).
 */
static bool thread_begin(const struct image *im, int64_t *off)
{
	for (unsigned int i = 0; i < im->segments.n; i++) {
		const Elf64_Phdr *ph = &im->segments.a[i];
		uint64_t align = ph->p_align ? ph->p_align : 1;

		if (ph->p_type != PT_TLS)
			continue;
		*off = -(int64_t)((ph->p_memsz + align - 1) / align * align);
		return true;
	}
	return false;
}

/* The symbol of an operand, made part of its distance. */
static bool resolve(const struct reader *r, const struct note *n, struct operand *op)
{
	uint64_t addr;
	int64_t begin;

	if (!op->symbol)
		return true;
	if (!find_symbol(r->im, op, &addr))
		return false;
	if (op->in_thread && !thread_begin(r->im, &begin))
		return false;
	op->disp += op->in_thread ? begin + (int64_t)addr : (int64_t)(addr - n->addr);
	op->symbol = NULL;
	op->nsymbol = 0;
	return true;
}

/* ---- arguments ---- */

/* "-4@%eax"; `f` behind the size: a floating-point number. */
static void read_arg(const struct reader *r, const struct note *n, const char *text, size_t len,
		     struct note_arg *a)
{
	const char *at = memchr(text, '@', len);
	size_t head = at ? (size_t)(at - text) : 0;
	int64_t size;

	a->op.kind = OPERAND_OTHER;
	if (!at || !operand_number(text, head, &size))
		return;
	a->is_signed = size < 0;
	size = size < 0 ? -size : size;
	if (size != 1 && size != 2 && size != 4 && size != 8)
		return;
	a->size = (uint8_t)size;
	if (!arch_native->operand(at + 1, len - head - 1, &a->op) || !resolve(r, n, &a->op))
		a->op = (struct operand){.kind = OPERAND_OTHER};
}

/* Blanks separate them, but those in brackets: "8@x0 -4@[sp, 12]". */
static void read_args(const struct reader *r, struct note *n, const char *text)
{
	while (n->nargs < NOTE_ARGS) {
		const char *end;
		int depth = 0;

		text += strspn(text, " ");
		if (!*text || *text == ':')
			return;
		for (end = text; *end && (*end != ' ' || depth); end++)
			depth += (*end == '[') - (*end == ']');
		read_arg(r, n, text, (size_t)(end - text), &n->args[n->nargs++]);
		text = end;
	}
}

/* ---- notes ---- */

static uint64_t word(const struct reader *r, const char *at, unsigned int i)
{
	uint32_t narrow;
	uint64_t wide;

	if (r->im->is_32) {
		memcpy(&narrow, at + i * sizeof(narrow), sizeof(narrow));
		return narrow;
	}
	memcpy(&wide, at + i * sizeof(wide), sizeof(wide));
	return wide;
}

/* What a note says; it may be of any size and content. */
static void read_note(struct reader *r, const char *desc, size_t size)
{
	size_t words = 3 * (r->im->is_32 ? sizeof(uint32_t) : sizeof(uint64_t));
	const char *texts[3], *p = desc + words, *end = desc + size;
	struct note n = {0};
	uint64_t base;

	if (size < words || r->to->list.n >= NOTES_MAX)
		return;
	for (unsigned int i = 0; i < 3; i++) {
		const char *nul = p < end ? memchr(p, '\0', (size_t)(end - p)) : NULL;

		if (!nul)
			return;
		texts[i] = p;
		p = nul + 1;
	}
	if (!*texts[0] || !*texts[1])
		return;
	n.addr = word(r, desc, 0);
	base = word(r, desc, 1);
	n.semaphore = word(r, desc, 2);
	/* Prelinking moves what is loaded, but not notes. */
	if (base && r->base) {
		n.addr += r->base - base;
		n.semaphore += n.semaphore ? r->base - base : 0;
	}
	n.prov = arena_strdup(r->arena, texts[0]);
	n.name = arena_strdup(r->arena, texts[1]);
	read_args(r, &n, texts[2]);
	vec_push(&r->to->list, n);
}

static size_t padded(uint32_t n)
{
	return ((size_t)n + 3) & ~(size_t)3;
}

static void read_section(struct reader *r, const Elf64_Shdr *sh)
{
	char *bytes = image_section(r->im, sh, SECTION_MAX);
	size_t at = 0, size = sh->sh_size;
	Elf64_Nhdr h; /* the same in both classes */

	while (bytes && size - at >= sizeof(h)) {
		size_t name, desc;

		memcpy(&h, bytes + at, sizeof(h));
		at += sizeof(h);
		name = padded(h.n_namesz);
		desc = padded(h.n_descsz);
		if (name > size - at || h.n_descsz > size - at - name)
			break;
		if (h.n_type == STAPSDT && h.n_namesz == sizeof("stapsdt") &&
		    memcmp(bytes + at, "stapsdt", sizeof("stapsdt")) == 0)
			read_note(r, bytes + at + name, h.n_descsz);
		at += name + desc < size - at ? name + desc : size - at;
	}
	mem_free(bytes);
}

static bool has_name(const char *names, const Elf64_Shdr *of, const Elf64_Shdr *sh,
		     const char *name)
{
	return sh->sh_name < of->sh_size && strcmp(names + sh->sh_name, name) == 0;
}

static void read_image(struct reader *r)
{
	const struct image *im = r->im;
	const Elf64_Shdr *of;
	char *names;

	if (im->head.e_shstrndx >= im->sections.n)
		return;
	of = &im->sections.a[im->head.e_shstrndx];
	names = image_section(im, of, NAMES_MAX);
	for (unsigned int i = 0; names && i < im->sections.n; i++)
		if (has_name(names, of, &im->sections.a[i], ".stapsdt.base"))
			r->base = im->sections.a[i].sh_addr;
	for (unsigned int i = 0; names && i < im->sections.n; i++)
		if (im->sections.a[i].sh_type == SHT_NOTE &&
		    has_name(names, of, &im->sections.a[i], ".note.stapsdt"))
			read_section(r, &im->sections.a[i]);
	mem_free(names);
}

void notes_read(struct notes *ns, struct arena *a, int fd)
{
	struct image im;
	struct reader r = {.im = &im, .arena = a, .to = ns};

	if (image_read(&im, fd))
		read_image(&r);
	image_free(&im);
}

void notes_free(struct notes *ns)
{
	vec_free(&ns->list);
}
