/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz_debug.c: any bytes as the notes and the link of a program, and of the debug files beside it.
 *
 * The input has five parts, each of which begins with its length in one byte.  They are the section
 * .note.gnu.build-id, the section .gnu_debuglink, the name of a debug file, and the two sections of
 * that debug file.  If the first length is 255, the rest is the whole program instead.  The debug
 * file is placed beside the program, below .debug, and under the build id.  Bytes after the five
 * parts give it a section .debug_info (one byte), or the checksum of the link (two), or both.
 */
#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/buf.h"
#include "base/mem.h"
#include "proc/debug.h"

static const char names[] = "\0.note.gnu.build-id\0.gnu_debuglink\0.debug_info\0.names";

enum { NAME_ID = 1, NAME_LINK = 20, NAME_INFO = 35, NAME_NAMES = 47 };

struct part {
	const uint8_t *at;
	size_t n;
};

static char dir[] = "/tmp/fuzz-debug-XXXXXX";
static char global[64], program[64], beside[64];

static void forget(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", dir);
	if (system(command) != 0)
		_exit(1);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	if (!mkdtemp(dir))
		exit(1);
	snprintf(global, sizeof(global), "%s/global", dir);
	snprintf(program, sizeof(program), "%s/program", dir);
	snprintf(beside, sizeof(beside), "%s/.debug", dir);
	mkdir(global, 0700);
	mkdir(beside, 0700);
	atexit(forget);
	return 0;
}

static struct part take(const uint8_t **data, size_t *size)
{
	struct part p = {0};

	if (!*size)
		return p;
	p.n = (*data)[0] < *size - 1 ? (*data)[0] : *size - 1;
	p.at = *data + 1;
	*data += 1 + p.n;
	*size -= 1 + p.n;
	return p;
}

static void write_file(const char *path, const void *p, size_t n)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);

	/* The name can be invalid. */
	if (fd < 0)
		return;
	if (write(fd, p, n) != (ssize_t)n)
		abort();
	close(fd);
}

/* An executable with these sections; the last one is an empty .debug_info. */
static void make_file(struct buf *b, struct part id, struct part link, bool has_info)
{
	struct head {
		Elf64_Ehdr file;
		Elf64_Shdr sections[5];
		char names[sizeof(names)];
	} h = {.file = {.e_type = ET_DYN,
			.e_machine = EM_X86_64,
			.e_shoff = offsetof(struct head, sections),
			.e_shentsize = sizeof(Elf64_Shdr),
			.e_shnum = has_info ? 5 : 4,
			.e_shstrndx = 1},
	       .sections = {
		   [1] = {.sh_name = NAME_NAMES,
			  .sh_type = SHT_STRTAB,
			  .sh_offset = offsetof(struct head, names),
			  .sh_size = sizeof(names)},
		   [2] = {.sh_name = NAME_ID,
			  .sh_type = SHT_NOTE,
			  .sh_offset = sizeof(h),
			  .sh_size = id.n},
		   [3] = {.sh_name = NAME_LINK,
			  .sh_type = SHT_PROGBITS,
			  .sh_offset = sizeof(h) + id.n,
			  .sh_size = link.n},
		   [4] = {.sh_name = NAME_INFO, .sh_type = SHT_PROGBITS, .sh_offset = sizeof(h)},
	       }};

	memcpy(h.file.e_ident, ELFMAG, SELFMAG);
	h.file.e_ident[EI_CLASS] = ELFCLASS64;
	h.file.e_ident[EI_DATA] = ELFDATA2LSB;
	memcpy(h.names, names, sizeof(names));
	buf_add(b, &h, sizeof(h));
	buf_add(b, id.at, id.n);
	buf_add(b, link.at, link.n);
}

/* Returns the path of a debug file with the program's id; "" if the program has none. */
static const char *place_of_id(void)
{
	static char path[256], folder[256];
	int fd = open(program, O_RDONLY | O_CLOEXEC);
	struct image im;
	char *id = NULL;

	if (image_read(&im, fd))
		id = debug_build_id(&im);
	path[0] = '\0';
	if (id) {
		snprintf(folder, sizeof(folder), "%s/.build-id", global);
		mkdir(folder, 0700);
		snprintf(folder, sizeof(folder), "%s/.build-id/%.2s", global, id);
		mkdir(folder, 0700);
		snprintf(path, sizeof(path), "%s/%s.debug", folder, id + 2);
	}
	mem_free(id);
	image_free(&im);
	close(fd);
	return path;
}

static void look(void)
{
	struct debug_dir where = {.path = global};
	int fd = open(program, O_RDONLY | O_CLOEXEC), found;
	struct image im;

	if (image_read(&im, fd)) {
		found = debug_open(&im, program, &where);
		if (found >= 0)
			close(found);
	}
	image_free(&im);
	found = debug_info_open(fd, program, &where);
	if (found >= 0)
		close(found);
	close(fd);
}

/* A name has no slash and is not the program's. */
static bool is_name(const char *name)
{
	return *name && !strchr(name, '/') && strcmp(name, ".") != 0 && strcmp(name, "..") != 0 &&
	       strcmp(name, "program") != 0 && strcmp(name, "global") != 0;
}

static void with_debug_file(const uint8_t *data, size_t size)
{
	struct part id = take(&data, &size), link = take(&data, &size), name = take(&data, &size);
	struct part id2 = take(&data, &size), link2 = take(&data, &size);
	char text[256], path[2][512];
	const char *by_id;
	struct buf b = {0}, first = {0};
	uint32_t sum;

	memcpy(text, name.at ? name.at : data, name.n);
	text[name.n] = '\0';
	make_file(&b, id2, link2, size & 1);
	make_file(&first, id, link, false);
	sum = (uint32_t)crc32(0, (const void *)b.s, (uInt)b.n);
	if (size & 2 && link.n >= sizeof(sum))
		memcpy(first.s + first.n - sizeof(sum), &sum, sizeof(sum));
	write_file(program, first.s, first.n);
	by_id = place_of_id();
	snprintf(path[0], sizeof(path[0]), "%s/%s", dir, text);
	snprintf(path[1], sizeof(path[1]), "%s/%s", beside, text);
	if (*by_id)
		write_file(by_id, b.s, b.n);
	for (int i = 0; is_name(text) && i < 2; i++)
		write_file(path[i], b.s, b.n);
	look();
	if (*by_id)
		unlink(by_id);
	for (int i = 0; is_name(text) && i < 2; i++)
		unlink(path[i]);
	buf_free(&b);
	buf_free(&first);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size && data[0] == 255) {
		write_file(program, data + 1, size - 1);
		look();
	} else {
		with_debug_file(data, size);
	}
	return 0;
}
