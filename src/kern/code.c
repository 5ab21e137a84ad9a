/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * code.c: the code of the running kernel and the starts of its instructions.
 *
 * The kernel changes its code when it starts, and whenever tracing begins or ends.  The running
 * code is therefore only in /proc/kcore, an ELF file whose segments are the kernel's memory.
 * Capstone finds the instruction boundaries.  It is loaded on first use, because loading takes a
 * tenth of a short run.
 */
#include <capstone/capstone.h>
#include <elf.h>
#include <errno.h>
#include <string.h>

#include "arch/arch.h"
#include "base/arena.h"
#include "base/library.h"
#include "base/mem.h"
#include "kern/priv.h"
#include "sys/machine.h"

#define TEXT_OF(x) #x
#define TEXT(x)	   TEXT_OF(x)
#define CAPSTONE   "libcapstone.so." TEXT(CS_API_MAJOR)

/* Much more than any function has.  The last symbol of a section may seem larger. */
#define FUNC_SIZE_MAX (1U << 20)

/* ---- code ---- */

static int read_at(struct machine *m, int fd, void *data, size_t size, uint64_t off)
{
	long n = sys_pread(m, fd, data, size, off);

	return n == (long)size ? 0 : n < 0 ? (int)n : -EFAULT;
}

/* Finds the offset of the address in the file. */
static int find_segment(struct machine *m, int fd, uint64_t addr, size_t size, uint64_t *off)
{
	Elf64_Ehdr eh;
	Elf64_Phdr ph;
	int r = read_at(m, fd, &eh, sizeof(eh), 0);

	for (unsigned int i = 0; r == 0 && i < eh.e_phnum; i++) {
		r = read_at(m, fd, &ph, sizeof(ph), eh.e_phoff + i * sizeof(ph));
		if (r || ph.p_type != PT_LOAD || addr < ph.p_vaddr ||
		    addr - ph.p_vaddr + size > ph.p_filesz)
			continue;
		*off = addr - ph.p_vaddr + ph.p_offset;
		return 0;
	}
	return r ? r : -EFAULT;
}

static int read_code(struct machine *m, uint64_t addr, uint8_t *code, size_t size)
{
	int fd = sys_open(m, "/proc/kcore", 0), r;
	uint64_t off = 0;

	if (fd < 0)
		return fd;
	r = find_segment(m, fd, addr, size, &off);
	if (r == 0)
		r = read_at(m, fd, code, size, off);
	sys_close(m, fd);
	return r;
}

/* ---- instructions ---- */

#define FUNCTIONS(X) X(cs_open) X(cs_close) X(cs_disasm) X(cs_free)

struct disasm {
	void *lib;
	csh handle;
	LIBRARY_MEMBERS(FUNCTIONS)
};

static bool load(struct disasm *d)
{
	return library_open(d, CAPSTONE, FUNCTIONS) &&
	       d->cs_open((cs_arch)arch_native->capstone, (cs_mode)arch_native->capstone_mode,
			  &d->handle) == CS_ERR_OK;
}

static void unload(struct disasm *d)
{
	if (d->handle)
		d->cs_close(&d->handle);
	library_close(d);
}

/* Returns true for instructions that fill the space between functions. */
static bool is_padding(const cs_insn *in)
{
	return strcmp(in->mnemonic, "nop") == 0 || strcmp(in->mnemonic, "int3") == 0;
}

/* Returns false unless all bytes are instructions. */
static bool decode(const struct disasm *d, const uint8_t *code, size_t size, struct kern_code *res)
{
	cs_insn *insns = NULL;
	size_t n = d->cs_disasm(d->handle, code, size, 0, 0, &insns);
	bool is_all = n && insns[n - 1].address + insns[n - 1].size == size;

	while (n && is_padding(&insns[n - 1]))
		n--;
	for (size_t i = 0; is_all && i < n; i++)
		vec_push(&res->insns, (uint32_t)insns[i].address);
	res->size = n ? (uint32_t)(insns[n - 1].address + insns[n - 1].size) : 0;
	if (insns)
		d->cs_free(insns, n);
	return is_all;
}

bool kern_code_read(struct kern *k, const struct kern_sym *func, struct kern_code *res,
		    const char **err)
{
	struct disasm d = {0};
	uint8_t *code;
	int r;

	*err = NULL;
	if (!func->size || func->size > FUNC_SIZE_MAX) {
		*err = "its size is unknown";
		return false;
	}
	code = mem_alloc(func->size);
	r = k->is_live ? read_code(k->machine, func->addr, code, func->size) : -ENOSYS;
	if (r)
		*err = arena_printf(k->arena, "cannot read the kernel's code from /proc/kcore: %s",
				    strerror(-r));
	else if (!load(&d))
		*err = "finding instructions needs " CAPSTONE ", which is not installed";
	else if (!decode(&d, code, func->size, res))
		*err = "it contains bytes that are not instructions";
	unload(&d);
	mem_free(code);
	return !*err;
}

void kern_code_free(struct kern_code *c)
{
	vec_free(&c->insns);
}

bool kern_code_begins(const struct kern_code *c, uint32_t off)
{
	for (unsigned int i = 0; i < c->insns.n; i++)
		if (c->insns.a[i] == off)
			return true;
	return false;
}
