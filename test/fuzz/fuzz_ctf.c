/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz_ctf.c: any bytes as the CTF, the symbols and the names of a file.  Also any bytes as the BTF
 * from a jail that an attacker has taken over; every type of the BTF is read.
 *
 * libctf runs in a process of its own here, too, because Debian's crashes on many broken files.
 */
#include <fcntl.h>
#include <sanitizer/common_interface_defs.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define ctf_to_btf fuzz_ctf_to_btf
#include "../../src/proc/ctf.c"

struct head {
	uint8_t is_btf;
	uint8_t pad;
	uint16_t ctf, symbols; /* bytes of the sections; the names are the rest */
};

static void read_types(struct btf_info *in)
{
	info_list list = {0};

	for (info_ref ref = 0; ref < 64; ref++) {
		struct info_type t = {.kind = INFO_VOID};

		btf_info_type(in, ref, &t);
		if (t.kind > INFO_FUNC || (t.name && strlen(t.name) > 1 << 20))
			abort();
		list.n = 0;
		btf_info_members(in, ref, &list);
		for (unsigned int i = 0; i < list.n; i++)
			if (list.a[i].name && strlen(list.a[i].name) > 1 << 20)
				abort();
	}
	vec_free(&list);
}

static void read_btf(const void *data, size_t size)
{
	struct btf_info *in = btf_info_open(data, size);
	struct info_function f = {.language = INFO_C};

	if (in) {
		btf_info_function(in, "f", &f);
		read_types(in);
	}
	info_function_free(&f);
	btf_info_close(in);
}

/* A separate copy, so that a read past its end is found. */
static struct ctf_section section(const char *name, const uint8_t *data, size_t size, size_t entry)
{
	void *copy = malloc(size + 1);

	if (!copy)
		abort();
	memcpy(copy, data, size);
	((char *)copy)[size] = 0;
	return (struct ctf_section){name, copy, size, entry};
}

/* The fuzzer would keep an input for each crash of a process. */
static void end_silently(void)
{
	static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM};

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		signal(signals[i], SIG_DFL);
	__sanitizer_set_death_callback(NULL);
	dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
	alarm(5);
}

/* Returns the BTF that answer() makes; none if the process crashes, or takes longer than an
 * input may. */
static void convert_apart(struct ctf_job *cj, struct buf *to)
{
	struct buf made = {0};
	int fds[2], status;
	pid_t pid;

	if (pipe(fds) || (pid = fork()) < 0)
		abort();
	if (pid == 0) {
		end_silently();
		answer(cj, NULL, 0, &made);
		for (size_t done = 0; done < made.n;) {
			ssize_t n = write(fds[1], made.s + done, made.n - done);

			if (n <= 0)
				break;
			done += (size_t)n;
		}
		_exit(0);
	}
	close(fds[1]);
	buf_read(to, fds[0]);
	close(fds[0]);
	waitpid(pid, &status, 0);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		buf_reset(to);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct ctf_job cj;
	struct buf to = {0};
	struct head h;

	if (!cj.lib.lib && !load(&cj.lib))
		abort();
	if (size < sizeof(h))
		return -1;
	memcpy(&h, data, sizeof(h));
	data += sizeof(h);
	size -= sizeof(h);
	if (h.is_btf) {
		read_btf(data, size);
		return 0;
	}
	if (h.ctf > size || h.symbols > size - h.ctf)
		return -1;
	cj.sections[0] = section(".ctf", data, h.ctf, 0);
	cj.sections[1] = section(".symtab", data + h.ctf, h.symbols, sizeof(Elf64_Sym));
	cj.sections[2] = section(".strtab", data + h.ctf + h.symbols, size - h.ctf - h.symbols, 0);
	convert_apart(&cj, &to);
	if (to.n)
		read_btf(to.s, to.n);
	buf_free(&to);
	for (unsigned int i = 0; i < 3; i++)
		free((void *)cj.sections[i].data);
	return 0;
}
