/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * elf_file.h: small ELF files for tests of their readers.
 */
#ifndef TEST_ELF_FILE_H
#define TEST_ELF_FILE_H

#include <elf.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/buf.h"
#include "test.h"

struct elf_part {
	const char *name;
	uint32_t type;
	const void *bytes;
	size_t n;
};

/*
 * Makes a file in memory with these sections and one of names; returns its descriptor.  The names
 * of symbols are in the following section.
 */
static inline int elf_file(const struct elf_part *parts, unsigned int n)
{
	int fd = memfd_create("elf", MFD_CLOEXEC);
	struct buf b = {0}, names = {0};
	Elf64_Shdr sections[8] = {{0}};
	Elf64_Ehdr h = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
			.e_type = ET_DYN,
			.e_machine = arch_native->machine,
			.e_ehsize = sizeof(h),
			.e_shentsize = sizeof(*sections),
			.e_shnum = (uint16_t)(n + 2),
			.e_shstrndx = (uint16_t)(n + 1)};

	CHECK(n + 2 <= 8);
	buf_add(&b, &h, sizeof(h));
	buf_add(&names, "", 1);
	for (unsigned int i = 0; i <= n; i++) {
		static const char table[] = ".shstrtab";
		struct elf_part part = {table, SHT_STRTAB, NULL, 0};

		if (i < n)
			part = parts[i];
		sections[i + 1] = (Elf64_Shdr){.sh_name = (uint32_t)names.n,
					       .sh_type = part.type,
					       .sh_offset = b.n,
					       .sh_size = part.n};
		if (part.type == SHT_SYMTAB) {
			sections[i + 1].sh_link = i + 2;
			sections[i + 1].sh_entsize = sizeof(Elf64_Sym);
		}
		buf_add(&names, part.name, strlen(part.name) + 1);
		if (i < n)
			buf_add(&b, part.bytes, part.n);
	}
	sections[n + 1].sh_size = names.n;
	buf_add(&b, names.s, names.n);
	h.e_shoff = b.n;
	memcpy(b.s, &h, sizeof(h));
	buf_add(&b, sections, (n + 2) * sizeof(*sections));
	CHECK(write(fd, b.s, b.n) == (ssize_t)b.n);
	buf_free(&b);
	buf_free(&names);
	return fd;
}

#endif
