/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * header.c: the header has two macros for each probe.  PROVIDER_PROBE(arg0, ...) fires the probe,
 * and PROVIDER_PROBE_ENABLED() returns true if the probe is traced.  Both call inline functions:
 * the first is a nop with a note, the second reads a semaphore.
 */
#include <ctype.h>
#include <string.h>

#include "compile/header.h"
#include "compile/compile.h"
#include "type/type.h"

/* Writes a name in upper case, with _ for characters that a macro name cannot have. */
static void put_macro(FILE *f, const char *s)
{
	for (; *s; s++)
		fputc(isalnum((unsigned char)*s) ? toupper((unsigned char)*s) : '_', f);
}

/* Writes a published name as part of a function name: "request-start" becomes request__start. */
static void put_function(FILE *f, const char *s)
{
	for (; *s; s++) {
		if (*s == '-')
			fputs("__", f);
		else
			fputc(*s, f);
	}
}

/*
 * Writes the name of a semaphore, which counts the tracers of a probe.  systemtap's sys/sdt.h uses
 * this word.
 */
static void semaphore(FILE *f, const char *before, const char *prov, const struct probe_decl *d)
{
	fputs(before, f);
	put_function(f, prov);
	fputc('_', f);
	put_function(f, d->name);
	fputs("_semaphore", f);
}

static void macro(FILE *f, const char *prov, const struct probe_decl *d, const char *suffix)
{
	fputs("#define\t", f);
	put_macro(f, prov);
	fputc('_', f);
	put_macro(f, d->name);
	fputs(suffix, f);
}

static void arguments(FILE *f, const struct probe_decl *d)
{
	fputc('(', f);
	for (unsigned int i = 0; i < d->nnative; i++)
		fprintf(f, "%sarg%u", i ? ", " : "", i);
	fputc(')', f);
}

static void function(FILE *f, const char *prefix, const char *prov, const struct probe_decl *d)
{
	fprintf(f, "%s_", prefix);
	put_function(f, prov);
	fputs("___", f);
	put_function(f, d->name);
}

static void probe(FILE *f, const char *prov, const struct probe_decl *d)
{
	macro(f, prov, d, "");
	arguments(f, d);
	fputs(" \\\n\t", f);
	function(f, "__dtrace", prov, d);
	arguments(f, d);
	fputc('\n', f);
	macro(f, prov, d, "_ENABLED() \\\n\t");
	function(f, "__dtraceenabled", prov, d);
	fputs("()\n", f);
}

/* Writes "const char *arg0". */
static void parameter(FILE *f, const struct probe_decl *d, unsigned int i)
{
	const char *text = type_is_string(d->native[i].type) ? "char *" : d->native[i].text;
	const char *last = text + strlen(text) - 1;

	if (strpbrk(text, "(["))
		fprintf(f, "__typeof__(%s) arg%u", text, i);
	else
		fprintf(f, "%s%sarg%u", text, *last == '*' ? "" : " ", i);
}

/*
 * Writes the operands of a note: the size of each argument, negative if it is signed, and the
 * value.
 */
static void operands(FILE *f, const struct probe_decl *d)
{
	fputc('"', f);
	for (unsigned int i = 0; i < d->nnative; i++)
		fprintf(f, "%s%%c[size%u]@%%[arg%u]", i ? " " : "", i, i);
	fputs("\")\n\t    : :", f);
	for (unsigned int i = 0; i < d->nnative; i++)
		fprintf(f, "%s\n\t\t[size%u] \"n\" (_DTRACE_%s(arg%u)), [arg%u] \"nor\" (arg%u)",
			i ? "," : "", i, type_is_integer(d->native[i].type) ? "INT" : "SIZE", i, i,
			i);
}

static void place(FILE *f, const char *prov, const struct probe_decl *d)
{
	semaphore(f, "extern unsigned short ", prov, d);
	fputs(" __attribute__((visibility(\"hidden\")));\n\n_DTRACE_INLINE void\n", f);
	function(f, "__dtrace", prov, d);
	fputc('(', f);
	for (unsigned int i = 0; i < d->nnative; i++) {
		fputs(i ? ", " : "", f);
		parameter(f, d, i);
	}
	/* The tracer reads through pointers, so their targets must be in memory. */
	fprintf(f, "%s)\n{\n\t__asm__ __volatile__(_DTRACE_NOTE(\"", d->nnative ? "" : "void");
	put_function(f, prov);
	fputs("\", \"", f);
	put_function(f, d->name);
	semaphore(f, "\",\n\t    \"", prov, d);
	fputs("\", ", f);
	operands(f, d);
	fputs("\n\t    : \"memory\");\n}\n\n_DTRACE_INLINE int\n", f);
	function(f, "__dtraceenabled", prov, d);
	semaphore(f, "(void)\n{\n\t__asm__ __volatile__(_DTRACE_SEMAPHORE(\"", prov, d);
	semaphore(f,
		  "\") : : : \"memory\");\n\treturn __builtin_expect(*(volatile unsigned short *)&",
		  prov, d);
	fputs(" != 0, 0);\n}\n\n", f);
}

static void disabled(FILE *f, const char *prov, const struct probe_decl *d)
{
	macro(f, prov, d, "");
	arguments(f, d);
	fputc('\n', f);
	macro(f, prov, d, "_ENABLED() (0)\n");
}

typedef void (*probe_writer)(FILE *f, const char *prov, const struct probe_decl *d);

static void each_probe(struct compile *comp, FILE *f, probe_writer write)
{
	for (unsigned int i = 0; i < comp->progs.n; i++)
		for (struct provider_decl *p = comp->progs.a[i]->program->providers; p; p = p->next)
			for (struct probe_decl *d = p->probes; d; d = d->next)
				write(f, p->name, d);
	fputc('\n', f);
}

/*
 * The common part of all headers: the instruction at a probe, its note (notes.h), and the
 * semaphore, which -G defines too.  Numbers of labels are unique.
 *
 * The instruction has one byte, because Linux 6.18 replaces a nop of five bytes by a call
 * (arch_uprobe_optimize, arch/x86/kernel/uprobes.c).  The call would write to the red zone of the
 * x86-64 ABI, where leaf functions keep variables.  Before GCC 15, an asm statement cannot declare
 * that it uses the red zone.
 */
static const char support[] =
    "#ifndef\t_DTRACE_NOTE\n"
    "#define\t_DTRACE_INLINE static __inline__ __attribute__((always_inline, unused))\n"
    "#define\t_DTRACE_SIZE(x) ((int)sizeof(x))\n"
    "#define\t_DTRACE_INT(x) \\\n"
    "\t((__typeof__(x))-1 < (__typeof__(x))1 ? -(int)sizeof(x) : (int)sizeof(x))\n"
    "#ifdef\t__LP64__\n"
    "#define\t_DTRACE_WORD \".8byte \"\n"
    "#else\n"
    "#define\t_DTRACE_WORD \".4byte \"\n"
    "#endif\n"
    "#define\t_DTRACE_SEMAPHORE(name) \\\n"
    "\t\".ifndef \" name \"\\n\" \\\n"
    "\t\".pushsection .probes, \\\"awG\\\", %%progbits, \" name \", comdat\\n\" \\\n"
    "\t\".balign 2\\n.weak \" name \"\\n.hidden \" name \"\\n\" \\\n"
    "\t\".type \" name \", %%object\\n.size \" name \", 2\\n\" name \": .zero 2\\n\" \\\n"
    "\t\".popsection\\n.endif\\n\"\n"
    "#define\t_DTRACE_NOTE(prov, name, semaphore, args) \\\n"
    "\t_DTRACE_SEMAPHORE(semaphore) \\\n"
    "\t\"790: nop\\n\" \\\n"
    "\t\".pushsection .note.stapsdt, \\\"?\\\", %%note\\n.balign 4\\n\" \\\n"
    "\t\".4byte 792f - 791f, 794f - 793f, 3\\n\" \\\n"
    "\t\"791: .asciz \\\"stapsdt\\\"\\n792: .balign 4\\n\" \\\n"
    "\t\"793: \" _DTRACE_WORD \"790b, _.stapsdt.base, \" semaphore \"\\n\" \\\n"
    "\t\".asciz \\\"\" prov \"\\\", \\\"\" name \"\\\", \\\"\" args \"\\\"\\n\" \\\n"
    "\t\"794: .balign 4\\n.popsection\\n\" \\\n"
    "\t\".ifndef _.stapsdt.base\\n\" \\\n"
    "\t\".pushsection .stapsdt.base, \\\"aG\\\", %%progbits, .stapsdt.base, comdat\\n\" \\\n"
    "\t\".weak _.stapsdt.base\\n.hidden _.stapsdt.base\\n\" \\\n"
    "\t\"_.stapsdt.base: .space 1\\n.size _.stapsdt.base, 1\\n\" \\\n"
    "\t\".popsection\\n.endif\\n\"\n"
    "#endif\n\n";

bool header_is_wanted(const struct compile *comp)
{
	for (unsigned int i = 0; i < comp->progs.n; i++)
		if (comp->progs.a[i]->program->providers)
			return true;
	return false;
}

void header_write(struct compile *comp, FILE *f, const char *name)
{
	const char *slash = strrchr(name, '/');

	name = slash ? slash + 1 : name;
	fputs("/*\n * Generated by dtrace(1).\n */\n\n#ifndef\t_", f);
	put_macro(f, name);
	fputs("\n#define\t_", f);
	put_macro(f, name);
	fputs("\n\n#include <inttypes.h>\n#include <unistd.h>\n\n"
	      "#ifndef\t_DTRACE_VERSION\n#define\t_DTRACE_VERSION\t1\n#endif\n\n"
	      "#ifdef\t__cplusplus\nextern \"C\" {\n#endif\n\n#if _DTRACE_VERSION\n\n",
	      f);
	fputs(support, f);
	each_probe(comp, f, probe);
	each_probe(comp, f, place);
	fputs("#else\n\n", f);
	each_probe(comp, f, disabled);
	fputs("#endif\n\n#ifdef\t__cplusplus\n}\n#endif\n\n#endif\t/* _", f);
	put_macro(f, name);
	fputs(" */\n", f);
}
