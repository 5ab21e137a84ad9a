/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hostile.c: maps a file that harms programs that read its symbols, and makes a hundred system
 * calls a second from its code, until a signal comes.
 *
 *	hostile huge FILE	the tables of symbols and names have 40 GB each, and are sparse
 *	hostile shrink FILE	the tables have 64 MB, and the file shrinks and grows all the time
 *	hostile loop FILE	all symbols have one address and one name, of 100 MB
 *	hostile many FILE	30,000 mappings
 */
#include <elf.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define PAGE 4096L
#define HUGE (40L << 30)

#if defined(__x86_64__)
static const unsigned char code[] = {0xb8, 110, 0, 0, 0, 0x0f, 0x05, 0xc3}; /* getppid() */
#define MACHINE EM_X86_64
#else
static const unsigned int code[] = {0xd2800000 | 173 << 5 | 8, 0xd4000001, 0xd65f03c0};
#define MACHINE EM_AARCH64
#endif

struct page {
	Elf64_Ehdr head;
	Elf64_Phdr load;
	Elf64_Shdr sections[3];
	unsigned char code[64];
};

static int make(const char *path, long symbols, long strings)
{
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0755);
	struct page p = {
	    .head = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
		     .e_type = ET_DYN,
		     .e_machine = MACHINE,
		     .e_version = EV_CURRENT,
		     .e_ehsize = sizeof(Elf64_Ehdr),
		     .e_phoff = offsetof(struct page, load),
		     .e_phentsize = sizeof(Elf64_Phdr),
		     .e_phnum = 1,
		     .e_shoff = offsetof(struct page, sections),
		     .e_shentsize = sizeof(Elf64_Shdr),
		     .e_shnum = 3},
	    .load = {.p_type = PT_LOAD, .p_flags = PF_X, .p_filesz = PAGE, .p_memsz = PAGE},
	    .sections = {{0},
			 {.sh_type = SHT_SYMTAB,
			  .sh_link = 2,
			  .sh_entsize = sizeof(Elf64_Sym),
			  .sh_offset = PAGE,
			  .sh_size = (Elf64_Xword)symbols},
			 {.sh_type = SHT_STRTAB,
			  .sh_offset = (Elf64_Off)(PAGE + symbols),
			  .sh_size = (Elf64_Xword)strings}}};

	memcpy(p.code, code, sizeof(code));
	if (fd < 0 || write(fd, &p, sizeof(p)) != sizeof(p) ||
	    ftruncate(fd, PAGE + symbols + strings) != 0) {
		perror(path);
		exit(1);
	}
	return fd;
}

static void fill(int fd, long symbols, long strings)
{
	Elf64_Sym sym = {.st_name = 1,
			 .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
			 .st_shndx = 1,
			 .st_value = offsetof(struct page, code)};
	char *p =
	    mmap(NULL, (size_t)(symbols + strings), PROT_READ | PROT_WRITE, MAP_SHARED, fd, PAGE);

	if (p == MAP_FAILED)
		exit(1);
	for (long i = 0; i < symbols; i += (long)sizeof(sym))
		memcpy(p + i, &sym, sizeof(sym));
	memset(p + symbols, '_', (size_t)strings);
	munmap(p, (size_t)(symbols + strings));
}

/* In a child that ends with its parent. */
static void shrink(int fd, long size)
{
	struct timespec pause = {0, 2000000};

	if (fork() != 0)
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (ftruncate(fd, PAGE) == 0 && nanosleep(&pause, NULL) == 0 &&
	       ftruncate(fd, size) == 0 && nanosleep(&pause, NULL) == 0)
		;
	_exit(1);
}

int main(int argc, char **argv)
{
	const char *kind = argc == 3 ? argv[1] : "";
	struct timespec pause = {0, 10000000};
	long symbols = HUGE, strings = HUGE;
	long (*call)(void);
	char *map = NULL;
	int fd;

	if (strcmp(kind, "shrink") == 0)
		symbols = strings = 64 << 20;
	if (strcmp(kind, "loop") == 0) {
		symbols = 1000000 * (long)sizeof(Elf64_Sym);
		strings = 100 << 20;
	}
	fd = make(argv[argc - 1], symbols, strings);
	if (strcmp(kind, "loop") == 0)
		fill(fd, symbols, strings);
	for (int i = 0; i < (strcmp(kind, "many") == 0 ? 30000 : 1); i++)
		map = mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_SHARED, fd, i & 1 ? PAGE : 0);
	map = mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED)
		return 1;
	memcpy(&call, &(char *){map + offsetof(struct page, code)}, sizeof(call));
	if (strcmp(kind, "shrink") == 0)
		shrink(fd, PAGE + symbols + strings);
	for (;;) {
		call();
		nanosleep(&pause, NULL);
	}
}
