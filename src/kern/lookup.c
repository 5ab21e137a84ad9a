/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lookup.c: the address of one symbol, by a program that calls the kernel's own search for names.
 */
#include <linux/bpf.h>
#include <string.h>

#include "kern/priv.h"
#include "sys/bpf.h"
#include "sys/machine.h"

/* Bytes of a name and its NUL.  KSYM_NAME_LEN is 512, but so is the stack of a program. */
#define NAME_ROOM 128

#define MOV_REG(d, s)	  INSN(BPF_ALU64 | BPF_MOV | BPF_X, d, s, 0, 0)
#define ADD_IMM(d, i)	  INSN(BPF_ALU64 | BPF_ADD | BPF_K, d, 0, 0, i)
#define STORE_IMM(off, i) INSN(BPF_ST | BPF_MEM | BPF_W, BPF_REG_10, 0, off, i)

/* The name is at the top of the stack.  The result is below it, and goes to the context. */
static uint32_t make(struct bpf_insn *insns, const char *name, uint32_t len)
{
	char words[NAME_ROOM] = {0};
	struct bpf_insn *in = insns;

	memcpy(words, name, len);
	*in++ = MOV_REG(BPF_REG_6, BPF_REG_1);
	for (int i = 0; i < NAME_ROOM; i += 4) {
		int32_t part;

		memcpy(&part, words + i, sizeof(part));
		*in++ = STORE_IMM((int16_t)(i - NAME_ROOM), part);
	}
	*in++ = STORE_IMM(-NAME_ROOM - 8, 0);
	*in++ = STORE_IMM(-NAME_ROOM - 4, 0);
	*in++ = MOV_REG(BPF_REG_1, BPF_REG_10);
	*in++ = ADD_IMM(BPF_REG_1, -NAME_ROOM);
	*in++ = MOV_IMM(BPF_REG_2, (int32_t)len + 1);
	*in++ = MOV_IMM(BPF_REG_3, 0);
	*in++ = MOV_REG(BPF_REG_4, BPF_REG_10);
	*in++ = ADD_IMM(BPF_REG_4, -NAME_ROOM - 8);
	*in++ = INSN(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_kallsyms_lookup_name);
	*in++ = INSN(BPF_LDX | BPF_MEM | BPF_DW, BPF_REG_1, BPF_REG_10, -NAME_ROOM - 8, 0);
	*in++ = INSN(BPF_STX | BPF_MEM | BPF_DW, BPF_REG_6, BPF_REG_1, 0, 0);
	*in++ = MOV_IMM(BPF_REG_0, 0);
	*in++ = EXIT();
	return (uint32_t)(in - insns);
}

uint64_t kern_sym_find(struct kern *k, const char *name)
{
	struct bpf_insn insns[NAME_ROOM / 4 + 16];
	struct sys_prog p = {
	    .type = BPF_PROG_TYPE_SYSCALL, .flags = BPF_F_SLEEPABLE, .insns = insns};
	size_t len = strlen(name);
	uint64_t addr = 0;
	int fd;

	if (!k->is_live || k->syms_done || len >= NAME_ROOM)
		return 0;
	p.n = make(insns, name, (uint32_t)len);
	fd = sys_prog_load(k->machine, &p);
	if (fd < 0)
		return 0;
	if (sys_run(k->machine, fd, &addr, sizeof(addr)) < 0)
		addr = 0;
	sys_close(k->machine, fd);
	return addr;
}
