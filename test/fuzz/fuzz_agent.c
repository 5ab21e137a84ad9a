/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz_agent.c: any calls of a peer to an agent.
 *
 * The input is a list of frames.  Most are calls as dtrace makes them, with some changed bytes;
 * others are areas of maps, or raw bytes.  kernel_model.h replaces the kernel, and checks the calls
 * that would reach it.
 */
#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kernel_model.h"
#include "remote/serve.h"

#define SESSION 7

/* ---- frames of the peer ---- */

static uint32_t word(void)
{
	uint32_t v = byte();

	/* Sizes are small, or limits. */
	return v < 250 ? v & 63 : v == 250 ? UINT32_MAX : v == 251 ? WIRE_MAX : v << (v & 31);
}

static size_t take(char *to, size_t max)
{
	size_t n = byte() % max;

	for (size_t i = 0; i < n; i++)
		to[i] = (char)byte();
	to[n] = '\0';
	return n;
}

static struct wire peer;

/* Sends a call as dtrace makes it, with some changed bytes. */
static long send_call(struct machine *m, struct sys_call *c)
{
	struct buf b = {0};

	wire_put_call(&b, c);
	for (unsigned int n = byte() & 3; n; n--) {
		size_t at = byte() | (size_t)byte() << 8;

		b.s[at % b.n] = (char)byte();
	}
	if (b.n <= WIRE_MAX)
		wire_send(&peer, WIRE_CALL, b.s, b.n, NULL, 0);
	buf_free(&b);
	return 0;
}

static int fd_of_bpf(void)
{
	return FD_BPF + byte() % 16;
}

static int fd_of_file(void)
{
	return FD_FILE + byte() % 8;
}

static char bytes[1 << 16];

static void send_map_new(struct machine *m)
{
	struct sys_map map = {.name = "m",
			      .type = byte() % 32,
			      .key_size = word(),
			      .value_size = word(),
			      .max_entries = word(),
			      .flags = word()};

	sys_map_new(m, &map);
}

static void send_take(struct machine *m)
{
	uint32_t from = 0, next, n = byte();
	int fd = fd_of_bpf();
	size_t key = byte() % 64, value = byte() % 64;

	sys_map_take(m, fd, byte() & 1 ? &from : NULL, &next, bytes, key, bytes + 32768, value, &n);
}

static void send_program(struct machine *m)
{
	struct sys_prog p = {.type = byte(),
			     .attach_type = byte(),
			     .flags = word(),
			     .insns = (void *)bytes,
			     .n = byte(),
			     .btf = fd_of_bpf(),
			     .funcs = (void *)bytes,
			     .nfuncs = byte() & 7,
			     .lines = (void *)bytes,
			     .nlines = byte() & 7,
			     .log = byte() & 1 ? bytes : NULL,
			     .log_size = byte()};

	sys_prog_load(m, &p);
}

static void send_info(struct machine *m)
{
	struct bpf_btf_info info;
	char name[64] = "";

	if (byte() & 1)
		sys_btf_info(m, fd_of_bpf(), &info, name, byte() % sizeof(name));
	else
		sys_object_info(m, fd_of_bpf(), bytes, byte());
}

static void send_kprobes(struct machine *m)
{
	unsigned long places[8] = {1, 2, 3, 4, 5, 6, 7, 8};
	uint64_t cookies[8] = {0};

	sys_link_kprobes(m, fd_of_bpf(), byte(), places, cookies, byte() & 7);
}

static void send_uprobes(struct machine *m)
{
	uint64_t words[8] = {0};
	struct sys_uprobes u = {.prog = fd_of_bpf(),
				.path = "/proc/1/map_files/400000-401000",
				.offsets = words,
				.semaphores = byte() & 1 ? words : NULL,
				.cookies = words,
				.n = byte() & 7};

	sys_link_uprobes(m, &u);
}

static void send_perf(struct machine *m)
{
	struct perf_event_attr attr = {.size = sizeof(attr), .type = byte(), .config = byte()};

	sys_perf_open(m, &attr, byte() & 1 ? "/bin/sh" : NULL, byte(), byte());
}

static void send_path(struct machine *m)
{
	static const char *const starts[] = {
	    "/proc/1/", "/proc/self/",	   "/sys/", "/proc/1/root",	 "/proc/12/map_files/",
	    "/proc/",	"/etc/os-release", "/etc/", "/proc/thread-self/"};
	static const char *const ends[] = {"",	 "maps", "mem",	 "exe",	   "root/x", "..",
					   ".",	 "/",	 "ns/x", "mounts", "auxv",   "self/",
					   "1/", "root", "fs",	 "environ"};
	char path[512], text[64];
	struct buf b = {0};

	buf_puts(&b, starts[byte() % (sizeof(starts) / sizeof(starts[0]))]);
	for (unsigned int n = byte() & 3; n; n--)
		buf_puts(&b, ends[byte() % (sizeof(ends) / sizeof(ends[0]))]);
	take(text, sizeof(text) / 4);
	buf_puts(&b, text);
	strncpy(path, b.s, sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	buf_free(&b);
	switch (byte() & 3) {
	case 0:
		sys_exists(m, path);
		break;
	case 1:
		sys_readlink(m, path, text, sizeof(text));
		break;
	default:
		sys_open(m, path, byte() & 1 ? O_DIRECTORY : byte());
	}
}

static void send_read(struct machine *m)
{
	int fd = byte() & 1 ? fd_of_file() : fd_of_bpf();

	switch (byte() & 3) {
	case 0:
		sys_read(m, fd, bytes, byte());
		break;
	case 1:
		sys_pread(m, fd, bytes, byte(), byte());
		break;
	case 2:
		sys_close(m, fd);
		break;
	case 3:
		sys_list(m, "/sys/", NULL, NULL);
	}
}

static void send_area(void)
{
	static const enum wire_type types[] = {WIRE_MAP, WIRE_UNMAP, WIRE_FETCH, WIRE_STORE,
					       WIRE_RING};
	struct wire_area a = {.fd = fd_of_bpf(), .id = byte() & 7, .off = word(), .size = word()};
	enum wire_type type = types[byte() % 5];

	wire_send(&peer, type, &a, sizeof(a), bytes,
		  type == WIRE_STORE ? (size_t)a.size % 4096 : byte() & 7);
}

static void send_raw(void)
{
	static const enum wire_type types[] = {WIRE_CALL, WIRE_TAKEN, WIRE_PING, WIRE_STORE,
					       WIRE_HELLO};
	char text[256];
	enum wire_type type = types[byte() % 5];
	size_t n = take(text, sizeof(text));

	wire_send(&peer, type, text, n, NULL, 0);
}

static void send_any(struct machine *m)
{
	int fd = fd_of_bpf();
	uint32_t next;

	switch (byte() % 22) {
	case 0:
		send_map_new(m);
		break;
	case 1:
		sys_map_lookup(m, fd, bytes, byte(), bytes + 4096, byte());
		break;
	case 2:
		sys_map_update(m, fd, bytes, byte(), bytes + 4096, byte(), byte());
		break;
	case 3:
		sys_map_delete(m, fd, bytes, byte());
		break;
	case 4:
		send_take(m);
		break;
	case 5:
		sys_map_freeze(m, fd);
		break;
	case 6:
		send_program(m);
		break;
	case 7:
		sys_btf_load(m, bytes, byte());
		break;
	case 8:
		send_info(m);
		break;
	case 9:
		sys_btf_next(m, byte(), &next);
		break;
	case 10:
		sys_btf_by_id(m, byte());
		break;
	case 11:
		sys_attach(m, fd, byte() & 1 ? "sched_switch" : NULL);
		break;
	case 12:
		sys_link(m, fd, fd_of_bpf(), byte());
		break;
	case 13:
		sys_link_event(m, fd, fd_of_bpf(), byte());
		break;
	case 14:
		send_kprobes(m);
		break;
	case 15:
		send_uprobes(m);
		break;
	case 16:
		sys_test_run(m, fd, bytes, byte(), byte());
		break;
	case 17:
		send_perf(m);
		break;
	case 18:
		sys_perf_enable(m, fd);
		break;
	case 19:
		send_path(m);
		break;
	case 20:
		send_read(m);
		break;
	case 21:
		byte() & 1 ? send_area() : send_raw();
	}
}

/* ---- a run ---- */

static int memory(const void *p, size_t n)
{
	int fd = memfd_create("agent", MFD_CLOEXEC);

	if (fd < 0 || write(fd, p, n) != (ssize_t)n || lseek(fd, 0, SEEK_SET) != 0)
		abort();
	return fd;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	elf = memory(ELFMAG "elf", 7);
	other = memory("secret", 6);
	return 0;
}

/* The agent sends nothing but frames. */
static void check_answers(int fd)
{
	struct wire_head h;
	ssize_t n;

	lseek(fd, 0, SEEK_SET);
	while ((n = read(fd, &h, sizeof(h))) > 0) {
		check(n == sizeof(h) && h.magic == WIRE_MAGIC && h.session == SESSION);
		lseek(fd, (h.len + 7) & ~7U, SEEK_CUR);
	}
	close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct machine_ops peer_ops = {.call = send_call};
	struct machine recorder = {.ops = &peer_ops}, kernel = {.ops = &kernel_ops};
	struct wire_hello hello = {0};
	int in, out;

	input = data;
	ninput = size;
	wire_init(&peer, -1, -1);
	wire_meet(&peer, SESSION);
	wire_send(&peer, WIRE_HELLO, &hello, sizeof(hello), NULL, 0);
	while (ninput && peer.sent.n < WIRE_MAX)
		send_any(&recorder);
	in = memory(peer.sent.s, peer.sent.n);
	out = memfd_create("answers", MFD_CLOEXEC);
	input = data;
	ninput = size;
	serve_connection(&kernel, in, dup(out), false);
	check_answers(out);
	wire_free(&peer);
	start_over();
	return 0;
}
