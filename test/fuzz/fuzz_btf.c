/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz_btf.c: any bytes as the kernel's BTF file: every type is read and looked up.  (References
 * between types are not followed, because the kernel excludes cycles.)
 */
#include <bpf/btf.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/arena.h"
#include "kern/kern.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("btf", MFD_CLOEXEC);
	struct arena *a = arena_new();
	struct kern *k = NULL;
	int64_t value;
	size_t n;

	if (fd >= 0 && write(fd, data, size) == (ssize_t)size)
		k = kern_open_fixture(arena_printf(a, "/proc/self/fd/%d", fd));
	for (uint32_t id = 1; k && id < kern_btf_count(k); id++) {
		const struct btf_type *t = kern_btf_type(k, id);
		const char *name = kern_btf_name(k, t->name_off);

		kern_btf_find(k, name, btf_kind(t));
		kern_btf_enumerator(k, name, &value);
	}
	if (k)
		kern_tracepoints(k, NULL, &n);
	kern_close(k);
	close(fd);
	arena_free(a);
	return 0;
}
