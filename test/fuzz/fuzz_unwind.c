/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz_unwind.c: any bytes as the .eh_frame and the .debug_frame of an executable.  Rows must be in
 * order, whatever they contain.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "arch/arch.h"
#include "proc/debug.h"
#include "proc/unwind.h"

static const char names[] = "\0.eh_frame\0.names\0.debug_frame";

struct head {
	Elf64_Ehdr file;
	Elf64_Phdr code;
	Elf64_Shdr sections[4];
	char names[sizeof(names)];
};

static void make_head(struct head *h, size_t size)
{
	*h = (struct head){
	    .file = {.e_type = ET_DYN,
		     .e_machine = EM_X86_64,
		     .e_phoff = offsetof(struct head, code),
		     .e_phentsize = sizeof(Elf64_Phdr),
		     .e_phnum = 1,
		     .e_shoff = offsetof(struct head, sections),
		     .e_shentsize = sizeof(Elf64_Shdr),
		     .e_shnum = 4,
		     .e_shstrndx = 2},
	    .code = {.p_type = PT_LOAD, .p_flags = PF_X, .p_filesz = 1U << 31},
	    .sections = {[1] = {.sh_name = 1,
				.sh_type = SHT_PROGBITS,
				.sh_addr = 0x400000,
				.sh_offset = sizeof(*h),
				.sh_size = size},
			 [2] = {.sh_name = 11,
				.sh_type = SHT_STRTAB,
				.sh_offset = offsetof(struct head, names),
				.sh_size = sizeof(names)},
			 [3] = {.sh_name = 18,
				.sh_type = SHT_PROGBITS,
				.sh_offset = sizeof(*h),
				.sh_size = size}},
	};
	memcpy(h->file.e_ident, ELFMAG, SELFMAG);
	h->file.e_ident[EI_CLASS] = ELFCLASS64;
	h->file.e_ident[EI_DATA] = ELFDATA2LSB;
	memcpy(h->names, names, sizeof(names));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int fd = -1;
	struct debug_dir dir = {.path = "/nowhere"};
	struct unwind uw;
	struct head h;

	if (fd < 0)
		fd = memfd_create("unwind", MFD_CLOEXEC);
	make_head(&h, size);
	if (ftruncate(fd, 0) != 0 || pwrite(fd, &h, sizeof(h), 0) != sizeof(h) ||
	    pwrite(fd, data, size, sizeof(h)) != (ssize_t)size)
		abort();
	unwind_read(&uw, &arch_x86_64, fd, &(struct unwind_source){"/nowhere", &dir});
	for (unsigned int i = 1; i < uw.rows.n; i++)
		if (uw.rows.a[i].pc <= uw.rows.a[i - 1].pc)
			abort();
	unwind_free(&uw);
	return 0;
}
