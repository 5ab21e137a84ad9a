/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gotable.c: functions of Go programs without symbols.
 *
 * The layout is from Go's debug/gosym and internal/abi.  Header: magic, minimal instruction size,
 * pointer size, then words.  The table of functions has pairs of 32-bit offsets: to the code, and
 * to the description, whose second word is the offset of the name.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arch/arch.h"
#include "arch/insn.h"
#include "base/buf.h"
#include "base/mem.h"
#include "proc/gotable_priv.h"

#define RELOCS_MAX   (64U << 20)
#define NAME_MAX_LEN 4096

#define MODULE_TEXT 176 /* member of struct moduledata, from Go 1.26 on */

uint64_t gotable_word(const char *p)
{
	uint64_t w;

	memcpy(&w, p, sizeof(w));
	return w;
}

uint32_t gotable_half(const char *p)
{
	uint32_t w;

	memcpy(&w, p, sizeof(w));
	return w;
}

const Elf64_Shdr *gotable_find(const struct image *im)
{
	const Elf64_Shdr *sh = image_find(im, ".gopclntab");

	return sh ? sh : image_find(im, ".data.rel.ro.gopclntab");
}

bool gotable_is_go(const struct image *im)
{
	return gotable_find(im) != NULL;
}

/* Relocations of a position-independent program, which store addresses. */
struct relocs {
	char *data;
	uint64_t n, next;
};

static void open_relocs(struct relocs *r, const struct image *im)
{
	const Elf64_Shdr *sh = image_find(im, ".rela.dyn");

	*r = (struct relocs){.data = sh ? image_section(im, sh, RELOCS_MAX) : NULL};
	if (r->data)
		r->n = sh->sh_size / sizeof(Elf64_Rela);
}

/* Takes the next one.  Frees all at the end, and returns false. */
static bool next_reloc(struct relocs *r, Elf64_Rela *res)
{
	while (r->next < r->n) {
		memcpy(res, r->data + r->next++ * sizeof(*res), sizeof(*res));
		if (!ELF64_R_SYM(res->r_info))
			return true;
	}
	mem_free(r->data);
	return false;
}

/* Returns the value that a relocation stores at an address; 0: none. */
static uint64_t relocated(const struct image *im, uint64_t addr)
{
	uint64_t res = 0;
	struct relocs all;
	Elf64_Rela r;

	open_relocs(&all, im);
	while (next_reloc(&all, &r))
		if (r.r_offset == addr)
			res = (uint64_t)r.r_addend;
	return res;
}

uint64_t gotable_relocated(const struct image *im, uint64_t first, uint64_t second)
{
	uint64_t last = 0, res = 0;
	struct relocs all;
	Elf64_Rela r;

	open_relocs(&all, im);
	while (next_reloc(&all, &r)) {
		if ((uint64_t)r.r_addend == second && last && r.r_offset == last + 8)
			res = last;
		last = (uint64_t)r.r_addend == first ? r.r_offset : 0;
	}
	return res;
}

uint64_t gotable_address(const struct image *im, uint64_t value, uint64_t addr)
{
	return value ? value : relocated(im, addr);
}

/* From Go 1.26 on only the description of the module has the address of the code. */
static uint64_t text_of_module(const struct image *im)
{
	const Elf64_Shdr *sh = image_find(im, ".go.module");
	char *data = sh ? image_section(im, sh, GOTABLE_MAX) : NULL;
	uint64_t res = 0;

	if (data && sh->sh_size >= MODULE_TEXT + 8)
		res = gotable_address(im, gotable_word(data + MODULE_TEXT),
				      sh->sh_addr + MODULE_TEXT);
	mem_free(data);
	return res;
}

bool gotable_header(const struct image *im, struct gotable_bytes *t)
{
	t->magic = t->size >= GOTABLE_HEADER ? gotable_half(t->data) : 0;
	if ((t->magic != GOTABLE_1_18 && t->magic != GOTABLE_1_20) || t->data[7] != 8)
		return false;
	t->nfuncs = gotable_word(t->data + GOTABLE_NFUNCS);
	t->names = gotable_word(t->data + GOTABLE_NAMES);
	t->functions = gotable_word(t->data + GOTABLE_FUNCTIONS);
	t->text = gotable_address(im, gotable_word(t->data + GOTABLE_TEXT),
				  t->sh->sh_addr + GOTABLE_TEXT);
	if (!t->text)
		t->text = text_of_module(im);
	return t->text && t->nfuncs <= GOTABLE_FUNCTIONS_MAX && t->names < t->size &&
	       t->functions < t->size && (t->size - t->functions) / 8 > t->nfuncs;
}

const char *gotable_text(const struct gotable_bytes *t, uint64_t from, uint64_t off)
{
	uint64_t room = from < t->size ? t->size - from : 0;
	const char *text = t->data + from + off;

	if (off >= room)
		return NULL;
	room -= off;
	room = room < NAME_MAX_LEN ? room : NAME_MAX_LEN;
	return *text && memchr(text, '\0', room) ? text : NULL;
}

/*
 * Returns the name of a function whose description is at an offset from the table of functions, or
 * NULL.
 */
static const char *name_of(const struct gotable_bytes *t, uint32_t off)
{
	if (t->size - t->functions < 8 || off > t->size - t->functions - 8)
		return NULL;
	return gotable_text(t, t->names, gotable_half(t->data + t->functions + off + 4));
}

/* Names are appended to a buffer that moves.  Symbols get their addresses when it is complete. */
static void add_functions(struct proc_object *o, const struct gotable_bytes *t)
{
	struct buf names = {0};

	for (uint64_t i = 0; i < t->nfuncs; i++) {
		const char *row = t->data + t->functions + i * 8,
			   *name = name_of(t, gotable_half(row + 4));
		struct proc_sym s = {.addr = t->text + gotable_half(row), .bind = STB_LOCAL};
		uint32_t next = gotable_half(row + 8);

		if (!name || next <= gotable_half(row))
			continue;
		s.size = next - gotable_half(row);
		s.name = (const char *)names.n;
		buf_add(&names, name, strlen(name) + 1);
		vec_push(&o->syms, s);
	}
	vec_push(&o->strings, names.s);
	for (unsigned int i = 0; i < o->syms.n; i++) {
		o->syms.a[i].name = names.s + (size_t)o->syms.a[i].name;
		buf_clean((char *)o->syms.a[i].name);
	}
	o->cost = names.n;
}

void gotable_read(struct proc_object *o, const struct image *im)
{
	struct gotable_bytes t = {.sh = gotable_find(im)};
	char *data = t.sh ? image_section(im, t.sh, GOTABLE_MAX) : NULL;

	t.data = data;
	t.size = data ? t.sh->sh_size : 0;
	if (data && !o->syms.n && gotable_header(im, &t))
		add_functions(o, &t);
	mem_free(data);
}

/* ---- the version ---- */

/* debug/buildinfo: the head of .go.buildinfo, then the length of the text "go1.24.4" in a byte, and
 * the text. */
#define BUILD_HEAD   32
#define BUILD_FLAGS  15
#define BUILD_INLINE 2 /* the texts follow, as of Go 1.18 */

int gotable_version(const struct image *im)
{
	static const char magic[] = "\xff Go buildinf:", go[] = "go1.";
	const Elf64_Shdr *sh = image_find(im, ".go.buildinfo");
	char *data = sh ? image_section(im, sh, GOTABLE_MAX) : NULL;
	int res = -1;

	if (data && sh->sh_size > BUILD_HEAD + sizeof(go) &&
	    memcmp(data, magic, strlen(magic)) == 0 && data[BUILD_FLAGS] & BUILD_INLINE &&
	    strncmp(data + BUILD_HEAD + 1, go, strlen(go)) == 0)
		res = atoi(data + BUILD_HEAD + 1 + strlen(go));
	mem_free(data);
	return res;
}

/* ---- the start of a function ---- */

/*
 * cmd/internal/obj/x86/obj6.go, stacksplit(): the limit is 16 bytes after g, which is in r14.
 *
 *	cmp 16(%r14),%rsp; jbe			small frames
 *	lea -N(%rsp),%r12; cmp 16(%r14),%r12; jbe
 *	mov %rsp,%r12; sub $N,%r12; jb; cmp 16(%r14),%r12; jbe	large frames
 */
#define BEGIN_MAX 48

uint32_t gotable_begin(int fd, uint64_t off)
{
	static const uint8_t compare[][4] = {{0x49, 0x3b, 0x66, 0x10}, {0x4d, 0x3b, 0x66, 0x10}};
	uint8_t code[BEGIN_MAX] = {0};
	struct insn in;
	uint32_t at = 0;
	bool is_compared = false;

	if (arch_native->machine != EM_X86_64 ||
	    pread(fd, code, sizeof(code), (off_t)off) != (ssize_t)sizeof(code))
		return 0;
	while (at + INSN_MAX < BEGIN_MAX && arch_native->decode(code + at, INSN_MAX, &in)) {
		if (is_compared) {
			bool is_jbe =
			    code[at] == 0x76 || (code[at] == 0x0f && code[at + 1] == 0x86);

			return is_jbe ? at + in.len : 0;
		}
		is_compared =
		    memcmp(code + at, compare[0], 4) == 0 || memcmp(code + at, compare[1], 4) == 0;
		at += in.len;
	}
	return 0;
}
