/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pretender.c FILE: looks like a process with the runtime of a language.  It maps the FILE of the
 * runtime as the dynamic linker does, but runs none of its code.  All data of the runtime is random
 * and changes all the time.  Some words are addresses, of the data itself or of other random
 * memory; others look like sizes and types.  The process makes a hundred system calls a second,
 * from code that is in no file, until a signal comes.
 */
#include <elf.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define PAGE	 4096UL
#define MEMORY	 (16UL << 20)
#define DATA_MAX 8

#if defined(__x86_64__)
/* push %rbp; mov %rsp, %rbp; mov $110 (getppid), %eax; syscall; pop %rbp; ret */
static const unsigned char code[] = {0x55, 0x48, 0x89, 0xe5, 0xb8, 110, 0,
				     0,	   0,	 0x0f, 0x05, 0x5d, 0xc3};
#else
static const unsigned int code[] = {0xd2800000 | 173 << 5 | 8, 0xd4000001, 0xd65f03c0};
#endif

struct range {
	uint64_t *start;
	size_t words;
};

static struct range data[DATA_MAX + 1]; /* of the runtime, and other memory */
static unsigned int ndata;

static uint64_t next(void)
{
	static uint64_t x = 88172645463325252;

	x ^= x << 13;
	x ^= x >> 7;
	return x ^= x << 17;
}

static uint64_t any_word(void)
{
	const struct range *r = &data[next() % ndata];
	uint64_t addr = (uint64_t)(uintptr_t)&r->start[next() % r->words];

	switch (next() % 8) {
	case 0:
		return next() % 64;
	case 1:
		return next();
	case 2:
		return addr | 1; /* tagged pointers of V8, and of Ruby's tables */
	case 3:
		return next() << 32 | next() % 4096;
	default:
		return addr;
	}
}

static void fill(const struct range *r, size_t from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		r->start[(from + i) % r->words] = any_word();
}

static void *change(void *arg)
{
	for (;;) {
		const struct range *r = &data[next() % ndata];

		fill(r, next() % r->words, 512);
	}
	return arg;
}

static void add(char *start, size_t size)
{
	if (ndata <= DATA_MAX && size >= 8)
		data[ndata++] = (struct range){(uint64_t *)(uintptr_t)start, size / 8};
}

/* Maps the segments of a file.  The address space between them stays reserved. */
static void map_file(const char *path)
{
	int fd = open(path, O_RDONLY);
	Elf64_Ehdr head;
	Elf64_Phdr p[64];
	uint64_t end = 0;
	char *base;

	if (fd < 0 || pread(fd, &head, sizeof(head), 0) != sizeof(head) || head.e_phnum > 64 ||
	    pread(fd, p, head.e_phnum * sizeof(*p), (off_t)head.e_phoff) < 0) {
		perror(path);
		exit(1);
	}
	for (int i = 0; i < head.e_phnum; i++)
		if (p[i].p_type == PT_LOAD && p[i].p_vaddr + p[i].p_memsz > end)
			end = p[i].p_vaddr + p[i].p_memsz;
	base = head.e_type == ET_DYN
		   ? mmap(NULL, end + PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
		   : NULL;
	for (int i = 0; i < head.e_phnum; i++) {
		uint64_t in_page = p[i].p_vaddr % PAGE;
		int rights = p[i].p_flags & PF_W   ? PROT_READ | PROT_WRITE
			     : p[i].p_flags & PF_X ? PROT_READ | PROT_EXEC
						   : PROT_READ;
		char *at = base + (p[i].p_vaddr - in_page), *rest;

		if (p[i].p_type != PT_LOAD)
			continue;
		if (mmap(at, in_page + p[i].p_filesz, rights, MAP_PRIVATE | MAP_FIXED, fd,
			 (off_t)(p[i].p_offset - in_page)) == MAP_FAILED) {
			perror("mmap");
			exit(1);
		}
		if (rights != (PROT_READ | PROT_WRITE))
			continue;
		rest = at + (in_page + p[i].p_filesz + PAGE - 1) / PAGE * PAGE;
		if (rest < at + in_page + p[i].p_memsz)
			mmap(rest, (size_t)(at + in_page + p[i].p_memsz - rest), rights,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
		add(at, in_page + p[i].p_memsz);
	}
	close(fd);
}

int main(int argc, char **argv)
{
	struct timespec pause = {0, 10000000};
	long (*call)(void);
	pthread_t thread;
	char *memory, *text;

	if (argc != 2)
		return 2;
	map_file(argv[1]);
	memory = mmap(NULL, MEMORY, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	text = mmap(NULL, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		    0);
	if (memory == MAP_FAILED || text == MAP_FAILED)
		return 1;
	memcpy(text, code, sizeof(code));
	memcpy(&call, &text, sizeof(call));
	add(memory, MEMORY);
	for (unsigned int i = 0; i < ndata; i++)
		fill(&data[i], 0, data[i].words);
	pthread_create(&thread, NULL, change, NULL);
	puts("ready");
	fflush(stdout);
	for (;;) {
		call();
		nanosleep(&pause, NULL);
	}
}
