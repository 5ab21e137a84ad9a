/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * proc_test.c: this process: its mappings, its functions, and the returns of functions whose code
 * is written here.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/arena.h"
#include "proc/debug.h"
#include "proc/func.h"
#include "proc/ifunc.h"
#include "proc/notes.h"
#include "proc/proc.h"
#include "elf_file.h"
#include "test.h"

#if defined(__x86_64__)

#define FUNCTION(name, code)                          \
	__asm__(".text\n.type " #name ", @function\n" \
		".globl " #name "\n" #name ":\n" code ".size " #name ", . - " #name "\n");

/* A ret in the middle, and a jump to another function at 4. */
FUNCTION(t_returns, "test %eax, %eax\n je 1f\n jmp t_other\n 1: nop\n ret\n")
FUNCTION(t_other, "ret\n")
/* A part elsewhere, which jumps back and also returns. */
FUNCTION(t_split, "test %eax, %eax\n jne t_split.cold\n t_split_back: ret\n")
FUNCTION(t_split.cold, "dec %eax\n je t_split_back\n ret\n")
/* A switch. */
FUNCTION(t_switch, "add %rdx, %rax\n nop\n jmp *%rax\n ret\n")
/* An unknown target: a tail call if the function has nothing on the stack. */
FUNCTION(t_computed, "jmp *%rax\n ret\n")
FUNCTION(t_frame, "push %rbx\n jmp *%rax\n pop %rbx\n jmp *%rax\n")
/* Parts without symbols, the first of which does not return from a call. */
FUNCTION(t_parts, "je 1f\n jne 2f\n ret\n 3: nop\n ret\n")
__asm__("1: call t_other\n 2: dec %eax\n je 3b\n call t_other\n ret\n 4: ret\n");
/* A part that ends with a call, followed by other code. */
FUNCTION(t_ending, "je 6f\n ret\n")
__asm__(".balign 16\n 6: call t_other\n .balign 16\n push %rbx\n pop %rbx\n ret\n");
/* A jump to code without a symbol that is called elsewhere: another function. */
FUNCTION(t_called, "call 4b\n ret\n")
FUNCTION(t_jumps, "je 4b\n jmp 4b\n")
/* A conditional jump out of the function. */
FUNCTION(t_conditional, "jne t_other\n ret\n")
/* Data in the middle, and data that looks like instructions, half of which a jump skips. */
FUNCTION(t_data, "nop\n .byte 0x06\n ret\n")
FUNCTION(t_middle, "jmp 1f\n .byte 0xb8\n 1: .byte 1, 2, 3, 4\n ret\n")
/* Two names; the one without underscores is better. */
FUNCTION(__t_named,
	 ".globl t_named\n .type t_named, @function\n t_named:\n lock incl (%rdi)\n ret\n"
	 " .size t_named, . - t_named\n")

/* Notes of static probes: valid, cut off, and with unknown arguments. */
#define NOTE(name, args)                                                         \
	__asm__(".text\n 990: nop\n .pushsection .note.stapsdt, \"\", %note\n"   \
		".balign 4\n .4byte 992f - 991f, 994f - 993f, 3\n"               \
		"991: .asciz \"stapsdt\"\n 992: .balign 4\n"                     \
		"993: .8byte 990b, 0, t_counter\n"                               \
		".asciz \"prov\", \"" name "\", \"" args "\"\n 994: .balign 4\n" \
		".popsection\n");

NOTE("one__two", "-4@%eax 8@-8(%rbp)  2@$300 8@t_counter+8(%rip)")
NOTE("odd", "4@%xmm0 16@%rax 8@ x 4@nowhere(%rip) 8f@%xmm1")
NOTE("many", "1@%al 1@%al 1@%al 1@%al 1@%al 1@%al 1@%al 1@%al 1@%al 1@%al 1@%al 1@%al 1@%al")
__asm__(".data\n.globl t_counter\n.type t_counter, @object\nt_counter: .quad 0, 0\n"
	".size t_counter, 16\n.text\n");
__asm__(".pushsection .note.stapsdt, \"\", %note\n.balign 4\n.4byte 8, 20, 3\n"
	".asciz \"stapsdt\"\n.zero 20\n.4byte 8, 40, 3\n.asciz \"stapsdt\"\n.zero 24\n"
	".fill 16, 1, 0x61\n.4byte 8, 0x7fffffff, 3\n.asciz \"stapsdt\"\n.popsection\n.text\n");

static struct procs *ps;
static struct proc *self;
static struct proc_object *exe;
static int fd;

static const struct proc_sym *find(const char *name)
{
	for (unsigned int i = 0; i < exe->syms.n; i++)
		if (strcmp(exe->syms.a[i].name, name) == 0)
			return &exe->syms.a[i];
	return NULL;
}

/* Returns the returns of a function as "4 9", with other known facts. */
static const char *returns(const char *name)
{
	static char text[128];
	const struct proc_sym *sym = find(name);
	struct func f;
	size_t n = 0;
	bool ok;

	if (!sym)
		return "no such function";
	ok = func_read(fd, exe, sym, &f);
	text[0] = '\0';
	for (unsigned int i = 0; i < f.returns.n; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n,
				      f.returns.a[i].cond ? "%d if %x " : "%d ", f.returns.a[i].off,
				      f.returns.a[i].cond);
	snprintf(text + n, sizeof(text) - n, "%s", ok ? "all" : "undecoded");
	func_free(&f);
	return text;
}

static void functions(void)
{
	struct func f;

	CHECK_STR(returns("t_returns"), "7 4 all");
	CHECK_STR(returns("t_parts"), "4 6 21 all");
	CHECK_STR(returns("t_ending"), "2 all");
	CHECK_STR(returns("t_called"), "5 all");
	CHECK_STR(returns("t_jumps"), "0 if 4 2 all");
	CHECK_STR(returns("t_switch"), "6 all");
	CHECK_STR(returns("t_computed"), "0 2 all");
	CHECK_STR(returns("t_frame"), "4 all");
	CHECK_STR(returns("t_conditional"), "2 0 if 44 all");
	CHECK_STR(returns("t_data"), "undecoded");
	CHECK_STR(returns("t_middle"), "undecoded");
	CHECK_STR(returns("t_split"), "4 9 all");
	CHECK(func_read(fd, exe, find("t_returns"), &f));
	CHECK_INT(f.insns.n, 5);
	CHECK(func_insn_at(&f, 4) && !func_insn_at(&f, 5) && !func_insn_at(&f, 8));
	func_free(&f);
	CHECK(func_read(fd, exe, find("t_named"), &f));
	CHECK(f.insns.a[0].is_refused && !f.insns.a[1].is_refused);
	func_free(&f);
}

static void names(void)
{
	const struct proc_sym *sym = find("t_named");
	uint64_t off, vaddr;

	CHECK(sym && find("__t_named"));
	CHECK_STR(proc_sym_at(exe, sym->addr + 1)->name, "t_named");
	CHECK_INT(proc_sym_at(exe, sym->addr)->addr, sym->addr);
	CHECK(proc_offset(exe, sym->addr, &off) && proc_vaddr(exe, off, &vaddr));
	CHECK_INT(vaddr, sym->addr);
	CHECK(!proc_offset(exe, UINT64_MAX, &off) && !proc_sym_at(exe, 0));
	CHECK(proc_func_addr(ps, self, "names", true) == (uint64_t)(uintptr_t)names);
	CHECK_INT(proc_func_addr(ps, self, "nonesuch", false), 0);
}

static void objects(void)
{
	bool has_libc = false;

	for (unsigned int i = 0; i < self->maps.n; i++) {
		struct proc_map *m = &self->maps.a[i];
		struct proc_object *o = proc_object(ps, self, m);

		CHECK(o == proc_object(ps, self, m));
		CHECK_INT(access(proc_file(ps, self, m), R_OK), 0);
		has_libc |= strncmp(o->base, "libc.so", 7) == 0;
		if (proc_is_exe(self, m))
			exe = o;
	}
	CHECK(has_libc);
	CHECK(exe && exe->is_native && exe->plts.n);
	CHECK(exe && strcmp(exe->base, "proc_test") == 0);
}

/* Returns the address that this process has chosen for a function of the C library, as found by a
 * search; 0: none.
 */
static uint64_t chosen(const char *name, uint64_t *size)
{
	uint64_t addr = 0, off;

	for (unsigned int i = 0; i < self->maps.n; i++) {
		struct proc_map *m = &self->maps.a[i];
		struct proc_object *o = proc_object(ps, self, m);
		ifunc_list list = {0};

		if (strncmp(o->base, "libc.so", 7) == 0)
			for (unsigned int k = 0; k < o->resolvers.n; k++)
				if (strcmp(o->resolvers.a[k].name, name) == 0)
					vec_push(&list,
						 (struct ifunc){.resolver = &o->resolvers.a[k]});
		if (list.n)
			ifunc_find(ps, self, m, &list);
		if (list.n && proc_offset(o, list.a[0].addr, &off)) {
			addr = m->start + off - m->off;
			*size = list.a[0].size;
		}
		vec_free(&list);
	}
	return addr;
}

static void choices(void)
{
	void *libc = dlopen("libc.so.6", RTLD_LAZY);
	uint64_t size = 0;

	CHECK(libc && chosen("strlen", &size) == (uint64_t)(uintptr_t)dlsym(libc, "strlen"));
	CHECK(size);
	CHECK_INT(chosen("nonesuch", &size), 0);
	if (libc)
		dlclose(libc);
}

static void reading(void)
{
	unsigned int n = self->maps.n;

	CHECK_INT(proc_read(self), 0);
	CHECK_INT(self->maps.n, n);
	CHECK(procs_get(ps, (uint32_t)getpid()) == self);
	CHECK(!procs_get(ps, 0));
}

/* Processes that have ended or never existed: pids above any that the kernel assigns. */
#define GONE (1U << 30)

static void early(void)
{
	char id[] = "00:00 1 /nonesuch/a";
	struct proc_map m = {.start = 0x1000, .end = 0x3000, .id = id, .path = id + 8};
	struct proc *p;

	CHECK(!procs_get(ps, GONE));
	procs_mapped(ps, GONE, &m);
	procs_mapped(ps, GONE, &m);
	p = procs_get(ps, GONE);
	CHECK(p && p->maps.n == 1 && strcmp(p->maps.a[0].path, "/nonesuch/a") == 0);
	m.start = 0x3000;
	m.end = 0x4000;
	procs_mapped(ps, GONE, &m);
	CHECK(p && p->maps.n == 2);
	/* The child of its child, whose fork is reported before the child's own. */
	procs_mapped(ps, GONE + 2, &m);
	procs_fork(ps, GONE + 1, GONE + 2);
	procs_fork(ps, GONE, GONE + 1);
	p = procs_get(ps, GONE + 2);
	CHECK(p && p->maps.n == 2 && p->parent == GONE + 1);
	/* A process that is its own ancestor. */
	procs_fork(ps, GONE + 3, GONE + 3);
	CHECK(!procs_get(ps, GONE + 3));
	/* Only the last of very many are kept. */
	for (unsigned int i = 0; i < 10000; i++)
		procs_mapped(ps, GONE + 10 + i, &m);
	CHECK(!procs_get(ps, GONE + 10));
	CHECK(procs_get(ps, GONE + 10 + 9999) != NULL);
}

/* An object shared by processes is at one address for all, and has its name there. */
static void shared(void)
{
	struct proc_map *m = NULL;
	struct proc *all;
	uint64_t at, off;

	for (unsigned int i = 0; i < self->maps.n; i++)
		if (proc_is_exe(self, &self->maps.a[i]))
			m = &self->maps.a[i];
	CHECK(m && exe->build_id &&
	      proc_offset(exe, (uint64_t)(uintptr_t)exe->syms.a[0].addr, &off));
	at = proc_shared(ps, self, m, off);
	CHECK(at && at == proc_shared(ps, self, m, off));
	CHECK_INT(proc_shared(ps, self, m, off + 8), at + 8);
	all = procs_get(ps, PROC_SHARED);
	CHECK(all && all->maps.n == 1 && proc_object(ps, all, &all->maps.a[0]) == exe);
	CHECK_INT(at - all->maps.a[0].start + all->maps.a[0].off, off);
	for (unsigned int i = 0; i < self->maps.n; i++)
		CHECK(proc_shared(ps, self, &self->maps.a[i], 0) != 0);
	CHECK_INT(proc_shared(ps, self, m, UINT64_MAX), 0);
}

static void notes(struct arena *a)
{
	struct notes ns = {0};
	const struct note *n;
	uint64_t off;

	notes_read(&ns, a, fd);
	CHECK_INT(ns.list.n, 3);
	if (ns.list.n != 3)
		return;
	n = &ns.list.a[0];
	CHECK_STR(n->prov, "prov");
	CHECK_STR(n->name, "one__two");
	CHECK(proc_offset(exe, n->addr, &off));
	CHECK(proc_offset(exe, n->semaphore, &off));
	CHECK_INT(n->nargs, 4);
	CHECK(n->args[0].size == 4 && n->args[0].is_signed && n->args[0].op.kind == OPERAND_REG);
	CHECK(n->args[1].size == 8 && !n->args[1].is_signed && n->args[1].op.kind == OPERAND_MEM);
	CHECK(n->args[2].size == 2 && n->args[2].op.kind == OPERAND_CONST &&
	      n->args[2].op.disp == 300);
	CHECK(n->args[3].op.kind == OPERAND_NEAR &&
	      n->addr + (uint64_t)n->args[3].op.disp == n->semaphore + 8);
	n = &ns.list.a[1];
	CHECK_INT(n->nargs, 6);
	for (unsigned int i = 0; i < n->nargs; i++)
		CHECK(n->args[i].op.kind == OPERAND_OTHER || !n->args[i].size);
	CHECK_INT(ns.list.a[2].nargs, NOTE_ARGS);
	notes_free(&ns);
}

/* Only the first of very many notes are read, and that is recorded. */
static void many_notes(struct arena *a)
{
	static const Elf64_Nhdr head = {8, 3 * 8 + 20, 3};
	static const uint64_t words[3] = {1};
	static const char texts[20] = "p\0n\0-4@nope(%rip)";
	struct elf_part part = {".note.stapsdt", SHT_NOTE, NULL, 0};
	struct notes ns = {0};
	struct buf b = {0};
	int many;

	for (unsigned int i = 0; i < 65537; i++) {
		buf_add(&b, &head, sizeof(head));
		buf_add(&b, "stapsdt", 8);
		buf_add(&b, words, sizeof(words));
		buf_add(&b, texts, sizeof(texts));
	}
	part.bytes = b.s;
	part.n = b.n;
	many = elf_file(&part, 1);
	notes_read(&ns, a, many);
	CHECK(ns.is_cut);
	CHECK_INT(ns.list.n, 65536);
	CHECK(ns.list.n && ns.list.a[0].nargs == 1);
	CHECK(ns.list.n && ns.list.a[0].args[0].op.kind == OPERAND_OTHER);
	notes_free(&ns);
	buf_free(&b);
	close(many);
}

/* Returns the number of functions with names, if the names have BYTES bytes. */
static unsigned int functions_with(size_t bytes)
{
	static const Elf64_Sym syms[] = {
	    {0},
	    {1, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), 0, 1, 0x1000, 16},
	    {3, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), 0, 1, 0x2000, 16},
	};
	char *names = calloc(1, bytes);
	const struct elf_part parts[] = {{".symtab", SHT_SYMTAB, syms, sizeof(syms)},
					 {".strtab", SHT_STRTAB, names, bytes}};
	struct proc_object *o = mem_alloc(sizeof(*o));
	struct debug_dir dir = {.path = ""};
	unsigned int n;
	int file;

	memcpy(names, "\0f\0g", 5);
	file = elf_file(parts, 2);
	proc_object_read(o, file, "", &dir);
	n = o->syms.n;
	proc_object_free(o);
	close(file);
	free(names);
	return n;
}

/* A hole in a file is not read as names of a few symbols. */
static void many_names(void)
{
	CHECK_INT(functions_with(5), 2);
	CHECK_INT(functions_with((1 << 20) + 2 * 1024), 2);
	CHECK_INT(functions_with((1 << 20) + 2 * 1024 + 1), 0);
}

/*
 * The file that has the types of several others is used only if its build id matches, and only by a
 * name that leads to a real file.
 */
static void shared_file(void)
{
	static const char id[] = "\4\0\0\0\4\0\0\0\3\0\0\0GNU\0abcd";
	const struct elf_part note = {".note.gnu.build-id", SHT_NOTE, id, sizeof(id) - 1};
	struct elf_part link = {".gnu_debugaltlink", SHT_PROGBITS, NULL, 0};
	static const char *const forms[] = {"%s%cabcd", "%s%cabcd",
					    "%s%cabce", "/nowhere%s%cabcd",
					    "%s%c",	"/proc/self/fd/%s%cabcd"};
	struct debug_dir dir = {.path = "/nowhere"};
	char name[] = "/tmp/shared.XXXXXX", number[12], bytes[4096];
	int shared = elf_file(&note, 1), copy = mkstemp(name);
	ssize_t n = pread(shared, bytes, sizeof(bytes), 0);

	CHECK(write(copy, bytes, (size_t)n) == n);
	snprintf(number, sizeof(number), "%d", shared);
	for (unsigned int i = 0; i < 6; i++) {
		struct buf b = {0};
		int file, found;

		buf_printf(&b, forms[i], i == 1 ? name + 1 : i == 5 ? number : name, 0);
		link.bytes = b.s;
		link.n = b.n;
		file = elf_file(&link, 1);
		found = debug_shared_open(file, &dir);
		CHECK_INT(found >= 0, i < 2);
		if (found >= 0)
			close(found);
		close(file);
		buf_free(&b);
	}
	unlink(name);
	close(copy);
	close(shared);
}

/* Another file can meanwhile be mapped at the same place. */
static void identity(void)
{
	int other = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);

	for (unsigned int i = 0; i < self->maps.n; i++) {
		int own = proc_open(self, &self->maps.a[i]);

		CHECK(own >= 0 && proc_is_file(self->maps.a[i].id, own));
		CHECK(!proc_is_file(self->maps.a[i].id, other));
		CHECK(proc_is_file(self->maps.a[i].id, fd) == proc_is_exe(self, &self->maps.a[i]));
		close(own);
	}
	close(other);
}

/* A file that was missing when it was read, and has come back, is read then. */
static void again(void)
{
	char path[] = "/tmp/proc_test.XXXXXX", away[sizeof(path) + 1], id[128];
	struct proc_map m = {.start = 0x1000, .end = 0x3000, .id = id};
	int to = mkstemp(path);
	struct stat st;
	struct proc *p;
	off_t from = 0;

	CHECK(to >= 0 && fstat(fd, &st) == 0 && sendfile(to, fd, &from, (size_t)st.st_size) > 0);
	CHECK(fstat(to, &st) == 0);
	close(to);
	snprintf(away, sizeof(away), "%s-", path);
	snprintf(id, sizeof(id), "%x:%x %llu %s", major(st.st_dev), minor(st.st_dev),
		 (unsigned long long)st.st_ino, path);
	m.path = strchr(id, '/');
	CHECK(rename(path, away) == 0);
	procs_mapped(ps, GONE, &m);
	p = procs_get(ps, GONE);
	CHECK(p && p->maps.n);
	if (p && p->maps.n) {
		struct proc_map *last = &vec_last(&p->maps);

		CHECK_INT(proc_object(ps, p, last)->syms.n, 0);
		CHECK_INT(proc_notes(ps, p, last)->list.n, 0);
		CHECK(!procs_lack_notes(ps, id));
		CHECK(rename(away, path) == 0);
		CHECK_INT(proc_object(ps, p, last)->syms.n, 0);
		/* At any address. */
		m.end = 0x2000;
		procs_mapped(ps, GONE, &m);
		last = &p->maps.a[p->maps.n - 2];
		CHECK(proc_object(ps, p, last)->syms.n > 0);
		CHECK_INT(proc_notes(ps, p, last)->list.n, 3);
	}
	unlink(path);
}

int main(void)
{
	struct arena *a = arena_new();

	ps = procs_new(a);
	self = procs_get(ps, (uint32_t)getpid());
	objects();
	fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	reading();
	shared();
	early();
	choices();
	names();
	functions();
	notes(a);
	many_names();
	shared_file();
	many_notes(a);
	identity();
	again();
	close(fd);
	procs_free(ps);
	arena_free(a);
	return TEST_DONE();
}

#else

int main(void)
{
	return TEST_DONE();
}

#endif
