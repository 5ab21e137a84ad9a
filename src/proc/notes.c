/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * notes.c: reads notes.  A note has three addresses, of the class's size, and three strings:
 * provider, name, arguments.  The file is not trusted (image.h).
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/arena.h"
#include "base/map.h"
#include "base/mem.h"
#include "proc/image.h"
#include "proc/notes.h"

#define NOTES_SIZE  (16U << 20) /* bytes of all notes of a file; the largest known has 200,000 */
#define NOTES_MAX   65536U
#define NAMES_MAX   (1U << 20)	 /* bytes of the names of sections */
#define STRINGS_MAX (64U << 20)	 /* bytes of the names of symbols */
#define WORK_MAX    (256U << 20) /* bytes of names that are examined */
#define SYMBOL_MAX  4096U	 /* bytes of a symbol's name */
#define CHUNK	    512
#define STAPSDT	    3 /* type of a note */

/* A symbol in operands. */
struct symbol {
	bool is_found;
	uint64_t addr;
};

/* An operand that needs the address of its symbol. */
struct pending {
	unsigned int note, arg;
	unsigned int symbol; /* in the reader's list */
};

/* State of reading a file. */
struct notes_reader {
	const struct image *im;
	struct arena *arena;
	struct notes *to;
	uint64_t base;		    /* address of section .stapsdt.base; 0: none */
	uint64_t room;		    /* bytes of notes that may still be read */
	VEC(char *) sections;	    /* bytes of notes, with the names of symbols */
	VEC(struct symbol) symbols; /* each once, in any order */
	VEC(struct pending) pending;
	struct map *names[2]; /* name to number in symbols, plus 1; [1]: thread-local variables */
	size_t longest;	      /* of the names */
	unsigned int nfound;
	uint64_t work;
};

/* ---- symbols ---- */

/* Returns true for a symbol with an address, or with in_thread for a thread-local variable. */
static bool is_wanted(const Elf64_Sym *s, bool in_thread)
{
	if (in_thread)
		return ELF64_ST_TYPE(s->st_info) == STT_TLS && s->st_shndx != SHN_UNDEF;
	return s->st_value && ELF64_ST_TYPE(s->st_info) != STT_TLS;
}

/* The first symbol of a name counts. */
static void take_symbol(struct notes_reader *r, const Elf64_Sym *s, const char *name)
{
	bool in_thread = ELF64_ST_TYPE(s->st_info) == STT_TLS;
	size_t len = strnlen(name, r->longest + 1);
	struct symbol *to;
	uintptr_t n;

	r->work += len;
	if (!is_wanted(s, in_thread) || len > r->longest)
		return;
	n = (uintptr_t)map_get(r->names[in_thread], name, len);
	to = n ? &r->symbols.a[n - 1] : NULL;
	if (!to || to->is_found)
		return;
	*to = (struct symbol){true, s->st_value};
	r->nfound++;
}

static void read_symbols(struct notes_reader *r, const Elf64_Shdr *sh)
{
	uint64_t size = 0;
	char *text = image_names(r->im, sh, STRINGS_MAX, &size);
	static _Thread_local Elf64_Sym chunk[CHUNK];
	size_t n = text ? image_symbols(r->im, sh, 0, chunk, CHUNK) : 0;

	for (uint64_t at = n; n && r->nfound < r->symbols.n && r->work < WORK_MAX; at += n) {
		for (size_t i = 0; i < n; i++)
			if (chunk[i].st_name < size)
				take_symbol(r, &chunk[i], text + chunk[i].st_name);
		r->work += n * sizeof(*chunk);
		n = image_symbols(r->im, sh, at, chunk, CHUNK);
	}
	mem_free(text);
}

/* A file has one table of each type (ELF specification, "Sections"). */
static void find_symbols(struct notes_reader *r, uint32_t type)
{
	for (unsigned int i = 0; i < r->im->sections.n; i++) {
		const Elf64_Shdr *sh = &r->im->sections.a[i];

		if (sh->sh_type == type) {
			read_symbols(r, sh);
			return;
		}
	}
}

/*
 * Finds the start of a program's thread-local variables relative to the thread pointer.  They end
 * there ("ELF Handling For Thread-Local Storage", variant II).
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

/*
 * Adds the address of a symbol to the offset of an operand.  Returns false if the file lacks the
 * symbol.
 */
static bool resolve(const struct notes_reader *r, const struct note *n, const struct symbol *s,
		    struct operand *op)
{
	int64_t begin = 0;

	if (!s->is_found || (op->in_thread && !thread_begin(r->im, &begin)))
		return false;
	op->disp += op->in_thread ? begin + (int64_t)s->addr : (int64_t)(s->addr - n->addr);
	op->symbol = NULL;
	op->nsymbol = 0;
	return true;
}

static void resolve_all(struct notes_reader *r)
{
	if (r->pending.n)
		find_symbols(r, SHT_SYMTAB);
	if (r->nfound < r->symbols.n)
		find_symbols(r, SHT_DYNSYM);
	for (unsigned int i = 0; i < r->pending.n; i++) {
		const struct pending *p = &r->pending.a[i];
		struct note *n = &r->to->list.a[p->note];
		struct operand *op = &n->args[p->arg].op;

		if (!resolve(r, n, &r->symbols.a[p->symbol], op))
			*op = (struct operand){.kind = OPERAND_OTHER};
	}
}

/* Enters the symbol of an operand.  Returns false if the name is too long for a symbol. */
static bool want_symbol(struct notes_reader *r, const struct operand *op, unsigned int arg)
{
	struct map *names = r->names[op->in_thread];
	uintptr_t n;

	if (op->nsymbol > SYMBOL_MAX)
		return false;
	n = (uintptr_t)map_get(names, op->symbol, op->nsymbol);
	if (!n) {
		vec_push(&r->symbols, (struct symbol){0});
		n = r->symbols.n;
		map_set(names, op->symbol, op->nsymbol, (void *)n);
		r->longest = op->nsymbol > r->longest ? op->nsymbol : r->longest;
	}
	vec_push(&r->pending, ((struct pending){r->to->list.n, arg, (unsigned int)n - 1}));
	return true;
}

/* ---- arguments ---- */

/*
 * Parses "-4@%eax".  An `f` after the size means a floating-point number.  The note will be the
 * next of the list.
 */
static void read_arg(struct notes_reader *r, struct note *n, const char *text, size_t len)
{
	struct note_arg *a = &n->args[n->nargs++];
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
	if (!arch_native->operand(at + 1, len - head - 1, &a->op) ||
	    (a->op.symbol && !want_symbol(r, &a->op, n->nargs - 1)))
		a->op = (struct operand){.kind = OPERAND_OTHER};
}

/* Blanks separate arguments, except in brackets: "8@x0 -4@[sp, 12]". */
static void read_args(struct notes_reader *r, struct note *n, const char *text)
{
	while (n->nargs < NOTE_ARGS) {
		const char *end;
		int depth = 0;

		text += strspn(text, " ");
		if (!*text || *text == ':')
			return;
		for (end = text; *end && (*end != ' ' || depth); end++)
			depth += (*end == '[') - (*end == ']');
		read_arg(r, n, text, (size_t)(end - text));
		text = end;
	}
}

/* ---- notes ---- */

static uint64_t word(const struct notes_reader *r, const char *at, unsigned int i)
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

/* Returns true for a name of a provider or a probe.  Control characters are not allowed. */
static bool is_name(const char *text)
{
	const char *p = text;

	while (*p && !iscntrl((unsigned char)*p))
		p++;
	return *text && !*p;
}

/* Reads a note of any size and content. */
static void read_note(struct notes_reader *r, const char *desc, size_t size)
{
	size_t words = 3 * (r->im->is_32 ? sizeof(uint32_t) : sizeof(uint64_t));
	const char *texts[3], *p = desc + words, *end = desc + size;
	struct note n = {0};
	uint64_t base;

	r->to->is_cut |= r->to->list.n >= NOTES_MAX;
	if (size < words || r->to->list.n >= NOTES_MAX)
		return;
	for (unsigned int i = 0; i < 3; i++) {
		const char *nul = p < end ? memchr(p, '\0', (size_t)(end - p)) : NULL;

		if (!nul)
			return;
		texts[i] = p;
		p = nul + 1;
	}
	if (!is_name(texts[0]) || !is_name(texts[1]))
		return;
	n.addr = word(r, desc, 0);
	base = word(r, desc, 1);
	n.semaphore = word(r, desc, 2);
	/* Prelinking moves the loaded parts, but not notes. */
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

static void read_section(struct notes_reader *r, const Elf64_Shdr *sh)
{
	char *bytes = image_section(r->im, sh, r->room);
	size_t at = 0, size = sh->sh_size;
	Elf64_Nhdr h; /* the same in both classes */

	r->to->is_cut |= size > r->room;
	if (!bytes)
		return;
	r->room -= size;
	vec_push(&r->sections, bytes);
	while (size - at >= sizeof(h)) {
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
}

static bool has_name(const char *names, const Elf64_Shdr *of, const Elf64_Shdr *sh,
		     const char *name)
{
	return sh->sh_name < of->sh_size && strcmp(names + sh->sh_name, name) == 0;
}

static void read_image(struct notes_reader *r)
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

static void find_semaphores(struct notes *ns)
{
	for (unsigned int i = 0; i < ns->list.n; i++) {
		const struct note *n = &ns->list.a[i];

		if (!n->semaphore)
			continue;
		if (!ns->semaphores)
			ns->semaphores = map_new();
		map_set_int(ns->semaphores, n->addr, (void *)(uintptr_t)n->semaphore);
	}
}

uint64_t notes_semaphore(const struct notes *ns, uint64_t addr)
{
	return ns->semaphores ? (uintptr_t)map_get_int(ns->semaphores, addr) : 0;
}

void notes_read(struct notes *ns, struct arena *a, int fd)
{
	struct image im;
	struct notes_reader r = {
	    .im = &im, .arena = a, .to = ns, .room = NOTES_SIZE, .names = {map_new(), map_new()}};

	if (image_read(&im, fd)) {
		read_image(&r);
		resolve_all(&r);
	}
	find_semaphores(ns);
	ns->cost = NOTES_SIZE - r.room + ns->list.cap * sizeof(*ns->list.a);
	for (unsigned int i = 0; i < r.sections.n; i++)
		mem_free(r.sections.a[i]);
	vec_free(&r.sections);
	vec_free(&r.symbols);
	vec_free(&r.pending);
	map_free(r.names[0]);
	map_free(r.names[1]);
	image_free(&im);
}

void notes_free(struct notes *ns)
{
	vec_free(&ns->list);
	map_free(ns->semaphores);
}
