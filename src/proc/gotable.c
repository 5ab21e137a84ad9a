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
#include "proc/gotable.h"

#define MAGIC_1_18    0xfffffff0U /* runtime/symtab.go, pcHeader */
#define MAGIC_1_20    0xfffffff1U
#define TABLE_MAX     (256U << 20) /* bytes; kubelet's table has about 25 MB */
#define RELOCS_MAX    (64U << 20)
#define FUNCTIONS_MAX 4000000U
#define NAME_MAX_LEN  4096

/* Words of the header. */
enum { NFUNCS = 8, TEXT = 24, NAMES = 32, FUNCTIONS = 64, HEADER = 72 };

#define MODULE_TEXT 176 /* member of struct moduledata, from Go 1.26 on */

struct table {
	const Elf64_Shdr *sh;
	const char *data;
	uint64_t size;
	uint64_t nfuncs, text, names, functions;
};

static uint64_t word(const char *p)
{
	uint64_t w;

	memcpy(&w, p, sizeof(w));
	return w;
}

static uint32_t half(const char *p)
{
	uint32_t w;

	memcpy(&w, p, sizeof(w));
	return w;
}

static const Elf64_Shdr *find(const struct image *im)
{
	const Elf64_Shdr *sh = image_find(im, ".gopclntab");

	return sh ? sh : image_find(im, ".data.rel.ro.gopclntab");
}

bool gotable_is_go(const struct image *im)
{
	return find(im) != NULL;
}

/*
 * Returns the value that a relocation stores at an address of a position-independent program; 0:
 * none.
 */
static uint64_t relocated(const struct image *im, uint64_t addr)
{
	const Elf64_Shdr *sh = image_find(im, ".rela.dyn");
	char *data = sh ? image_section(im, sh, RELOCS_MAX) : NULL;
	uint64_t res = 0;

	for (uint64_t at = 0; data && !res && sh->sh_size - at >= sizeof(Elf64_Rela);
	     at += sizeof(Elf64_Rela)) {
		Elf64_Rela r;

		memcpy(&r, data + at, sizeof(r));
		if (r.r_offset == addr && !ELF64_R_SYM(r.r_info))
			res = (uint64_t)r.r_addend;
	}
	mem_free(data);
	return res;
}

/* Returns the address that a word of the file has after loading. */
static uint64_t address_at(const struct image *im, uint64_t value, uint64_t addr)
{
	return value ? value : relocated(im, addr);
}

/* From Go 1.26 on only the description of the module has the address of the code. */
static uint64_t text_of_module(const struct image *im)
{
	const Elf64_Shdr *sh = image_find(im, ".go.module");
	char *data = sh ? image_section(im, sh, TABLE_MAX) : NULL;
	uint64_t res = 0;

	if (data && sh->sh_size >= MODULE_TEXT + 8)
		res = address_at(im, word(data + MODULE_TEXT), sh->sh_addr + MODULE_TEXT);
	mem_free(data);
	return res;
}

static bool read_header(const struct image *im, struct table *t)
{
	uint32_t magic = t->size >= HEADER ? half(t->data) : 0;

	if ((magic != MAGIC_1_18 && magic != MAGIC_1_20) || t->data[7] != 8)
		return false;
	t->nfuncs = word(t->data + NFUNCS);
	t->names = word(t->data + NAMES);
	t->functions = word(t->data + FUNCTIONS);
	t->text = address_at(im, word(t->data + TEXT), t->sh->sh_addr + TEXT);
	if (!t->text)
		t->text = text_of_module(im);
	return t->text && t->nfuncs <= FUNCTIONS_MAX && t->names < t->size &&
	       t->functions < t->size && (t->size - t->functions) / 8 > t->nfuncs;
}

/*
 * Returns the name of a function whose description is at an offset from the table of functions, or
 * NULL.
 */
static const char *name_of(const struct table *t, uint32_t off)
{
	const char *name;
	uint32_t at;
	size_t room;

	if (t->size - t->functions < 8 || off > t->size - t->functions - 8)
		return NULL;
	at = half(t->data + t->functions + off + 4);
	room = t->size - t->names;
	if (at >= room)
		return NULL;
	name = t->data + t->names + at;
	room -= at;
	room = room < NAME_MAX_LEN ? room : NAME_MAX_LEN;
	return *name && memchr(name, '\0', room) ? name : NULL;
}

/* Names are appended to a buffer that moves.  Symbols get their addresses when it is complete. */
static void add_functions(struct proc_object *o, const struct table *t)
{
	struct buf names = {0};

	for (uint64_t i = 0; i < t->nfuncs; i++) {
		const char *row = t->data + t->functions + i * 8, *name = name_of(t, half(row + 4));
		struct proc_sym s = {.addr = t->text + half(row), .bind = STB_LOCAL};
		uint32_t next = half(row + 8);

		if (!name || next <= half(row))
			continue;
		s.size = next - half(row);
		s.name = (const char *)names.n;
		buf_add(&names, name, strlen(name) + 1);
		vec_push(&o->syms, s);
	}
	mem_free(o->strings);
	o->strings = names.s;
	for (unsigned int i = 0; i < o->syms.n; i++) {
		o->syms.a[i].name = o->strings + (size_t)o->syms.a[i].name;
		buf_clean((char *)o->syms.a[i].name);
	}
	o->cost = names.n + o->syms.cap * sizeof(*o->syms.a);
}

void gotable_read(struct proc_object *o, const struct image *im)
{
	struct table t = {.sh = find(im)};
	char *data = t.sh ? image_section(im, t.sh, TABLE_MAX) : NULL;

	t.data = data;
	t.size = data ? t.sh->sh_size : 0;
	if (data && !o->syms.n && read_header(im, &t))
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
	char *data = sh ? image_section(im, sh, TABLE_MAX) : NULL;
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
