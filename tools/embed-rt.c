/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * embed-rt.c: build tool that prints the run-time library as C data.
 *
 *	embed-rt rt.bpf.o > rt.c
 *
 * Reads an object of `clang -O2 -g -target bpf -mcpu=v3 -c` and prints the definition of bpf_rt
 * (src/bpf/codegen.h).  All functions are in .text: global ones are the interface of the library,
 * static ones are helpers and callbacks of bpf_loop.  Parameters are numbers or pointers to struct
 * str, as their BTF says.  Maps are declared in .maps and referenced by name.  Other data has no
 * place at run time and is refused.
 */
#include <assert.h>
#include <bpf/btf.h>
#include <elf.h>
#include <fcntl.h>
#include <gelf.h>
#include <linux/bpf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_FUNCS = 256, MAX_RELOCS = 4096, RELOC_64 = 1, RELOC_CALL = 10 };

struct func {
	const char *name;
	unsigned int insn, n;
	bool is_static, is_callback;
};

struct reloc {
	unsigned int insn;
	const char *kind, *map;
	int func;
};

struct object {
	Elf *elf;
	struct btf *btf;
	size_t text, maps; /* section numbers */
	const struct bpf_insn *insns;
	unsigned int n;
	Elf_Data *syms;
	size_t strtab, nsyms;
	struct func funcs[MAX_FUNCS];
	unsigned int nfuncs;
	struct reloc relocs[MAX_RELOCS];
	unsigned int nrelocs;
};

static void __attribute__((noreturn)) die(const char *what, const char *name)
{
	fprintf(stderr, "embed-rt: %s%s%s\n", what, name ? ": " : "", name ? name : "");
	exit(1);
}

static Elf_Data *data_of(Elf_Scn *scn)
{
	Elf_Data *d = elf_getdata(scn, NULL);

	if (!d)
		die("cannot read section", elf_errmsg(-1));
	return d;
}

/* Find .text, .maps and the symbol table. */
static void find_sections(struct object *o)
{
	size_t names;
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	if (elf_getshdrstrndx(o->elf, &names))
		die("no section names", NULL);
	while ((scn = elf_nextscn(o->elf, scn))) {
		const char *name;

		gelf_getshdr(scn, &sh);
		name = elf_strptr(o->elf, names, sh.sh_name);
		if (strcmp(name, ".text") == 0) {
			o->text = elf_ndxscn(scn);
			o->insns = data_of(scn)->d_buf;
			o->n = (unsigned int)(sh.sh_size / sizeof(*o->insns));
		} else if (strcmp(name, ".maps") == 0) {
			o->maps = elf_ndxscn(scn);
		} else if (sh.sh_type == SHT_SYMTAB) {
			o->syms = data_of(scn);
			o->strtab = sh.sh_link;
			o->nsyms = sh.sh_size / sh.sh_entsize;
		}
	}
	if (!o->text || !o->syms)
		die("no code or no symbols", NULL);
}

static int by_insn(const void *x, const void *y)
{
	const struct func *a = x, *b = y;

	return a->insn < b->insn ? -1 : a->insn > b->insn;
}

static void find_funcs(struct object *o)
{
	for (size_t s = 0; s < o->nsyms; s++) {
		struct func *f = &o->funcs[o->nfuncs];
		GElf_Sym sym;

		gelf_getsym(o->syms, (int)s, &sym);
		if (GELF_ST_TYPE(sym.st_info) != STT_FUNC)
			continue;
		if (sym.st_shndx != o->text)
			die("function outside of .text",
			    elf_strptr(o->elf, o->strtab, sym.st_name));
		if (++o->nfuncs == MAX_FUNCS)
			die("too many functions", NULL);
		f->name = elf_strptr(o->elf, o->strtab, sym.st_name);
		f->insn = (unsigned int)(sym.st_value / sizeof(struct bpf_insn));
		f->n = (unsigned int)(sym.st_size / sizeof(struct bpf_insn));
		f->is_static = GELF_ST_BIND(sym.st_info) == STB_LOCAL;
	}
	qsort(o->funcs, o->nfuncs, sizeof(*o->funcs), by_insn);
}

static int func_at(const struct object *o, unsigned int insn)
{
	for (unsigned int f = 0; f < o->nfuncs; f++)
		if (o->funcs[f].insn == insn)
			return (int)f;
	die("reference into the middle of a function", NULL);
}

static struct reloc *add_reloc(struct object *o, unsigned int insn, const char *kind)
{
	if (o->nrelocs == MAX_RELOCS)
		die("too many relocations", NULL);
	o->relocs[o->nrelocs] = (struct reloc){.insn = insn, .kind = kind};
	return &o->relocs[o->nrelocs++];
}

static bool is_call(const struct bpf_insn *in)
{
	return in->code == (BPF_JMP | BPF_CALL) && in->src_reg == BPF_PSEUDO_CALL;
}

/* Reads one ELF relocation of .text. */
static void read_reloc(struct object *o, const GElf_Rel *rel)
{
	unsigned int insn = (unsigned int)(rel->r_offset / sizeof(struct bpf_insn)), at;
	const struct bpf_insn *in = &o->insns[insn];
	bool is_section;
	GElf_Sym sym;

	assert(insn < o->n);
	gelf_getsym(o->syms, (int)GELF_R_SYM(rel->r_info), &sym);
	is_section = GELF_ST_TYPE(sym.st_info) == STT_SECTION;
	at = (unsigned int)(sym.st_value / sizeof(struct bpf_insn));
	if (sym.st_shndx == o->maps && o->maps) {
		add_reloc(o, insn, "BPF_RT_MAP")->map = elf_strptr(o->elf, o->strtab, sym.st_name);
	} else if (sym.st_shndx != o->text) {
		die("reference to data or to an undefined symbol",
		    elf_strptr(o->elf, o->strtab, sym.st_name));
	} else if (is_call(in)) {
		if (is_section)
			at = (unsigned int)(in->imm + 1);
		add_reloc(o, insn, "BPF_RT_CALL")->func = func_at(o, at);
	} else {
		if (is_section)
			at = (unsigned int)in->imm / (unsigned int)sizeof(*in);
		at = (unsigned int)func_at(o, at);
		o->funcs[at].is_callback = true;
		add_reloc(o, insn, "BPF_RT_FUNCADDR")->func = (int)at;
	}
}

static bool has_reloc(const struct object *o, unsigned int insn)
{
	for (unsigned int r = 0; r < o->nrelocs; r++)
		if (o->relocs[r].insn == insn)
			return true;
	return false;
}

static void find_relocs(struct object *o)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	GElf_Rel rel;

	while ((scn = elf_nextscn(o->elf, scn))) {
		gelf_getshdr(scn, &sh);
		if (sh.sh_type != SHT_REL || sh.sh_info != o->text)
			continue;
		for (size_t r = 0; r < sh.sh_size / sh.sh_entsize; r++) {
			gelf_getrel(data_of(scn), (int)r, &rel);
			read_reloc(o, &rel);
		}
	}
	/* Calls that the assembler has resolved. */
	for (unsigned int i = 0; i < o->n; i++)
		if (is_call(&o->insns[i]) && !has_reloc(o, i))
			add_reloc(o, i, "BPF_RT_CALL")->func =
			    func_at(o, (unsigned int)((int)i + o->insns[i].imm + 1));
}

/* ---- output ---- */

static const char *param_kind(const struct object *o, __u32 type, const char *func)
{
	const struct btf_type *t = btf__type_by_id(o->btf, type);

	while (btf_is_mod(t) || btf_is_typedef(t))
		t = btf__type_by_id(o->btf, t->type);
	if (!btf_is_ptr(t))
		return "BPF_PARAM_SCALAR";
	t = btf__type_by_id(o->btf, t->type);
	while (btf_is_mod(t))
		t = btf__type_by_id(o->btf, t->type);
	if (btf_is_struct(t) && strcmp(btf__name_by_offset(o->btf, t->name_off), "str") == 0)
		return "BPF_PARAM_STR";
	if (btf_is_struct(t) && strcmp(btf__name_by_offset(o->btf, t->name_off), "abi_walk") == 0)
		return "BPF_PARAM_WALK";
	if (btf_is_struct(t) || btf_is_void(t))
		return "BPF_PARAM_SCALAR";
	die("parameter is neither a number nor known memory", func);
}

static unsigned int print_params(const struct object *o, const struct func *f)
{
	__s32 id = btf__find_by_name_kind(o->btf, f->name, BTF_KIND_FUNC);
	const struct btf_type *proto;
	unsigned int n;

	if (id < 0)
		die("no BTF for function", f->name);
	proto = btf__type_by_id(o->btf, btf__type_by_id(o->btf, (__u32)id)->type);
	n = btf_vlen(proto);
	if (n > 5)
		die("more than 5 parameters", f->name);
	printf("\t  .nargs = %u, .params = {", n);
	for (unsigned int p = 0; p < n; p++)
		printf(" %s,", param_kind(o, btf_params(proto)[p].type, f->name));
	printf("%s },\n", n ? "" : " 0");
	return n;
}

static unsigned int print_code(const struct object *o, unsigned int f)
{
	const struct func *fn = &o->funcs[f];
	unsigned int n = 0;

	printf("static const struct bpf_insn insns_%u[] = {\n", f);
	for (unsigned int i = fn->insn; i < fn->insn + fn->n; i++)
		printf("\t{ 0x%02x, %d, %d, %d, %d },\n", o->insns[i].code, o->insns[i].dst_reg,
		       o->insns[i].src_reg, o->insns[i].off, o->insns[i].imm);
	printf("};\n\nstatic const struct bpf_rtreloc relocs_%u[] = {\n", f);
	for (unsigned int r = 0; r < o->nrelocs; r++) {
		const struct reloc *rel = &o->relocs[r];

		if (rel->insn < fn->insn || rel->insn >= fn->insn + fn->n)
			continue;
		printf("\t{ %u, %s, %d, ", rel->insn - fn->insn, rel->kind, rel->func);
		printf(rel->map ? "\"%s\" },\n" : "NULL },\n", rel->map);
		n++;
	}
	printf("%s};\n\n", n ? "" : "\t{ 0, BPF_RT_MAP, 0, NULL },\n");
	return n;
}

static void print_all(const struct object *o)
{
	unsigned int nrelocs[MAX_FUNCS];

	printf("/* Made by embed-rt from the run-time library; not to be edited. */\n"
	       "#include \"bpf/codegen.h\"\n\n");
	for (unsigned int f = 0; f < o->nfuncs; f++)
		nrelocs[f] = print_code(o, f);
	printf("static const struct bpf_rtfunc funcs[] = {\n");
	for (unsigned int f = 0; f < o->nfuncs; f++) {
		printf("\t{ .name = \"%s\", .insns = insns_%u, .n = %u,\n", o->funcs[f].name, f,
		       o->funcs[f].n);
		printf("\t  .relocs = relocs_%u, .nrelocs = %u,\n", f, nrelocs[f]);
		print_params(o, &o->funcs[f]);
		printf("\t  .is_static = %d, .is_callback = %d },\n", o->funcs[f].is_static,
		       o->funcs[f].is_callback);
	}
	printf("};\n\nconst struct bpf_rtlib bpf_rt = { funcs, %u };\n", o->nfuncs);
}

int main(int argc, char **argv)
{
	static struct object o;
	int fd;

	if (argc != 2)
		die("usage: embed-rt OBJECT", NULL);
	fd = open(argv[1], O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		die("cannot open", argv[1]);
	elf_version(EV_CURRENT);
	o.elf = elf_begin(fd, ELF_C_READ, NULL);
	if (!o.elf || elf_kind(o.elf) != ELF_K_ELF)
		die("not an object file", argv[1]);
	o.btf = btf__parse(argv[1], NULL);
	if (!o.btf)
		die("no BTF (compile with -g)", argv[1]);
	find_sections(&o);
	find_funcs(&o);
	find_relocs(&o);
	print_all(&o);
	btf__free(o.btf);
	elf_end(o.elf);
	close(fd);
	return fflush(stdout) ? 1 : 0;
}
