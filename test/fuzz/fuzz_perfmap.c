/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz_perfmap.c: any bytes as changes that a process makes to its perf map, or to its dump,
 * between readings.
 *
 * The input is a list of steps.  The low two bits of the first byte choose the step: append text,
 * write text somewhere, truncate the file, look an address up.  The other bits are the length of
 * the text, in steps of three bytes.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "proc/perfmap.h"

enum { APPEND, OVERWRITE, TRUNCATE, FIND };

#define FIND_MAX 8 /* addresses of one step */

/* A name is printable text, and its function begins at or before the address. */
static void find(struct perfmap *pm, uint64_t addr)
{
	uint64_t start = 0;
	const char *name = perfmap_find(pm, addr, &start);

	if (!name)
		return;
	if (start > addr || !*name)
		abort();
	for (; *name; name++)
		if ((unsigned char)*name < ' ' || *name == 0x7f)
			abort();
}

/* Addresses are written as in the file, so that the fuzzer can copy them. */
static void find_all(struct perfmap *pm, const uint8_t *data, size_t size)
{
	char text[256];
	char *at = text, *end;

	memcpy(text, data, size);
	text[size] = '\0';
	for (int i = 0; i < FIND_MAX; i++, at = end) {
		uint64_t addr = strtoull(at, &end, 16);

		if (end == at)
			break;
		find(pm, addr);
	}
	find(pm, 0x1000);
	find(pm, UINT64_MAX);
}

static uint16_t number(const uint8_t *data, size_t size)
{
	return size < 2 ? 0 : (uint16_t)(data[0] << 8 | data[1]);
}

static void write_at(int fd, const uint8_t *data, size_t size, off_t at)
{
	if (pwrite(fd, data, size, at) != (ssize_t)size)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("map", MFD_CLOEXEC), own = dup(fd);
	struct perfmap *pm = perfmap_new(fd), *dump = perfmap_new_dump(dup(fd));

	while (size) {
		uint8_t step = *data++;
		size_t n = (step >> 2) * 3;

		size--;
		n = n < size ? n : size;
		switch (step & 3) {
		case APPEND:
			write_at(own, data, n, lseek(own, 0, SEEK_END));
			break;
		case OVERWRITE:
			if (n > 2)
				write_at(own, data + 2, n - 2, number(data, n));
			break;
		case TRUNCATE:
			if (ftruncate(own, number(data, n)) != 0)
				abort();
			break;
		case FIND:
			find_all(pm, data, n);
			find_all(dump, data, n);
			break;
		}
		data += n;
		size -= n;
	}
	find(pm, 0x1000);
	find(dump, 0x1000);
	perfmap_is_cut(pm);
	perfmap_free(pm);
	perfmap_free(dump);
	close(own);
	return 0;
}
