/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * outmem.h: a struct out that writes into memory, for tests of printers.  outmem_text() returns the
 * text since the last call; it stays valid until the next one.
 */
#ifndef TEST_UNIT_OUTMEM_H
#define TEST_UNIT_OUTMEM_H

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "print/out.h"

static struct outmem {
	struct out o;
	FILE *f;
	char *s, *last;
	size_t n;
} outmem;

static void outmem_open(void)
{
	outmem.f = open_memstream(&outmem.s, &outmem.n);
	assert(outmem.f);
	outmem.o.dest = outmem.f;
}

/* Returns the writer, with default options. */
static inline struct out *outmem_start(void)
{
	outmem_open();
	out_init(&outmem.o, outmem.f);
	return &outmem.o;
}

static inline const char *outmem_text(void)
{
	int err = out_flush(&outmem.o);

	assert(err == 0);
	(void)err;
	fclose(outmem.f);
	free(outmem.last);
	outmem.last = outmem.s;
	outmem_open();
	return outmem.last;
}

static inline void outmem_end(void)
{
	fclose(outmem.f);
	free(outmem.s);
	free(outmem.last);
	out_free(&outmem.o);
	memset(&outmem, 0, sizeof(outmem));
}

/* Symbols: kernel 0x1000.. is module "vmlinux", 0x1100..0x11ff its function "vfs_read"; 0x2000..
 * is module "nf_tables" without symbols.  Process 7: 0x400100.. is cat's "main", 0x500000.. its
 * libc without symbols; 0x600000 is a JIT's frame, 0x400180 an annotated one. */
static inline int outmem_ksym(void *ctx, uint64_t addr, struct out_sym *sym)
{
	if (addr >= 0x1000 && addr < 0x2000) {
		sym->module = "vmlinux";
		if (addr >= 0x1100 && addr < 0x1200) {
			sym->name = "vfs_read";
			sym->offset = addr - 0x1100;
		}
		return 0;
	}
	if (addr >= 0x2000 && addr < 0x3000) {
		sym->module = "nf_tables";
		return 0;
	}
	return -1;
}

static inline int outmem_usym(void *ctx, uint32_t pid, uint64_t addr, struct out_sym *sym)
{
	if (pid != 7)
		return -1;
	if (addr >= 0x400100 && addr < 0x400200) {
		sym->module = "cat";
		sym->name = "main";
		sym->offset = addr - 0x400100;
		sym->mapped = addr - 0x400000;
		if (addr >= 0x40017f && addr <= 0x400180)
			sym->text = "@line 12";
		return 0;
	}
	if (addr >= 0x500000 && addr < 0x500100) {
		sym->module = "libc.so.6";
		return 0;
	}
	if (addr == 0x600000) {
		sym->text = "java.lang.Thread.run()";
		return 0;
	}
	return -1;
}

static const struct out_symtab outmem_syms = {outmem_ksym, outmem_usym};

#endif
