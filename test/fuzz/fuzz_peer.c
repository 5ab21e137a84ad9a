/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz_peer.c: any answers of an agent to dtrace.
 *
 * If the first byte is even, a session compiles and loads a program on a machine at the other end
 * of a connection, consumes its records and prints its aggregations.  If it is odd, there are only
 * calls.  The agent is simulated: it answers calls like a small kernel.  The input says where it
 * lies, what maps and files contain, and which records come.  After the end of the input its
 * answers are right, so that a run ends.
 *
 * Everything is one thread: the agent answers when dtrace waits for it, in our own poll(2).  If it
 * has no answer it closes the connection, so that nothing waits for a timeout.
 */
#include <bpf/btf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/capability.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/clocks.h"
#include "base/mem.h"
#include "session/session.h"
#include "sys/bpf.h"
#include "remote/remote.h"
#include "remote/wire.h"

#define ANSWERS_MAX 4000
#define FIRST_FD    1000
#define FILES	    16
#define ROUNDS	    6

/* ---- the input ---- */

static const uint8_t *input, *later;
static size_t ninput, nlater;

static uint8_t byte(void)
{
	if (!ninput)
		return 0;
	ninput--;
	return *input++;
}

static void fill(void *to, size_t size)
{
	size_t n = size < ninput ? size : ninput;

	memset(to, 0, size);
	memcpy(to, input, n);
	input += n;
	ninput -= n;
}

/* The second byte says how much of the input is used before the program is loaded. */
static void begin(const uint8_t *data, size_t size)
{
	size_t n = size > 2 ? data[1] : 0;

	input = data + 2;
	ninput = size > 2 ? size - 2 : 0;
	n = n < ninput ? n : ninput;
	later = input + n;
	nlater = ninput - n;
	ninput = n;
}

static void go_on(void)
{
	input = later;
	ninput = nlater;
	nlater = 0;
}

/* Returns a number that is near a limit, or small. */
static int64_t number(void)
{
	uint8_t v = byte();
	int64_t n;

	if (v < 200)
		return v - 50;
	if (v < 250)
		return (int64_t)1 << (v % 64);
	fill(&n, sizeof(n));
	return n;
}

/* ---- the files of the agent ---- */

static struct buf types; /* BTF of its kernel */

struct file {
	struct buf text;
	size_t done;
};

static struct file files[FILES];
static unsigned int nfiles;
static int next_fd;

static void make_types(void)
{
	struct btf *b = btf__new_empty();
	int i = btf__add_int(b, "int", 4, BTF_INT_SIGNED);
	int l = btf__add_int(b, "long unsigned int", 8, 0);
	int c = btf__add_int(b, "char", 1, BTF_INT_SIGNED);
	int comm = btf__add_array(b, i, c, 16);
	int thread = btf__add_struct(b, "thread_struct", 16), s, task, proto;
	const void *data;
	uint32_t n;

	btf__add_field(b, "fsbase", l, 0, 0);
	btf__add_field(b, "uw", l, 64, 0);
	s = btf__add_struct(b, "task_struct", 128);
	task = s + 1;
	btf__add_field(b, "pid", i, 0, 0);
	btf__add_field(b, "tgid", i, 32, 0);
	btf__add_field(b, "start_time", l, 64, 0);
	btf__add_field(b, "real_parent", task, 128, 0);
	btf__add_field(b, "flags", i, 192, 0);
	btf__add_field(b, "mm", task + 1, 256, 0);
	btf__add_field(b, "comm", comm, 320, 0);
	btf__add_field(b, "thread", thread, 512, 0);
	btf__add_ptr(b, s);
	btf__add_ptr(b, task + 2);
	btf__add_struct(b, "mm_struct", 64);
	btf__add_field(b, "start_code", l, 0, 0);
	proto = btf__add_func_proto(b, i);
	btf__add_func_param(b, "p", task);
	btf__add_func_param(b, "q", task);
	btf__add_func(b, "do_exit", BTF_FUNC_GLOBAL, proto);
	btf__add_func(b, "tcp_connect", BTF_FUNC_GLOBAL, proto);
	btf__add_ptr(b, proto);
	btf__add_typedef(b, "btf_trace_sched_switch", proto + 3);
	data = btf__raw_data(b, &n);
	buf_add(&types, data, n);
	btf__free(b);
}

static void put_text(struct buf *b)
{
	char text[256];
	size_t n = byte();

	fill(text, n);
	buf_add(b, text, n);
}

static void put_file(struct buf *b, const char *path)
{
	if (strcmp(path, "/sys/kernel/btf/vmlinux") == 0) {
		buf_add(b, types.s, types.n);
		for (unsigned int n = byte() & 3; n; n--) {
			size_t at = (byte() | (size_t)byte() << 8) % b->n;

			b->s[at] = (char)byte();
		}
	} else if (byte() & 1) {
		put_text(b);
	} else if (strncmp(path, "/sys/devices/system/cpu/", 24) == 0) {
		buf_puts(b, "0-1\n");
	} else if (strcmp(path, "/proc/kallsyms") == 0) {
		buf_puts(b, "ffffffff81000000 T _text\nffffffff81000100 t do_exit\n"
			    "ffffffff81000200 T vfs_read\t[mod]\n");
	} else if (strstr(path, "/maps")) {
		buf_puts(b, "400000-500000 r-xp 00000000 08:01 77 /bin/sh\n"
			    "7f0000000000-7f0000001000 r-xp 00000000 00:00 0 [vdso]\n");
	}
}

static int64_t open_file(const char *path)
{
	struct file *f = &files[nfiles % FILES];

	if (strstr(path, "tracing") && !(byte() & 1))
		return -ENOENT;
	buf_reset(&f->text);
	f->done = 0;
	put_file(&f->text, path);
	return 10 + nfiles++ % FILES;
}

static int64_t read_file(const struct sys_call *c)
{
	struct file *f;
	size_t n;

	if (c->args[0] < 10 || c->args[0] >= 10 + FILES)
		return -EBADF;
	f = &files[c->args[0] - 10];
	n = f->text.n - f->done;
	n = n < c->mems[0].len ? n : c->mems[0].len;
	if (n)
		memcpy(c->mems[0].at, f->text.s + f->done, n);
	f->done += n;
	return (int64_t)n;
}

/* ---- calls ---- */

static int64_t take_rows(const struct sys_call *c, union bpf_attr *attr)
{
	uint32_t n = attr->batch.count;

	for (unsigned int i = 1; i < c->nmems; i++)
		if (c->mems[i].is_out)
			fill(c->mems[i].at, c->mems[i].len < ninput ? c->mems[i].len : ninput);
	n = byte() < n ? byte() & 7 : n;
	attr->batch.count = n;
	return byte() & 1 ? 0 : byte() & 1 ? -ENOSPC : -ENOENT;
}

static int64_t bpf(const struct sys_call *c)
{
	union bpf_attr *attr = c->mems[0].at;

	switch (c->args[0]) {
	case BPF_MAP_CREATE:
	case BPF_PROG_LOAD:
	case BPF_BTF_LOAD:
	case BPF_BTF_GET_FD_BY_ID:
	case BPF_RAW_TRACEPOINT_OPEN:
	case BPF_LINK_CREATE:
	case BPF_ITER_CREATE:
		return next_fd++;
	case BPF_MAP_LOOKUP_ELEM:
	case BPF_OBJ_GET_INFO_BY_FD:
		for (unsigned int i = 1; i < c->nmems; i++)
			if (c->mems[i].is_out && ninput)
				fill(c->mems[i].at,
				     c->mems[i].len < ninput ? c->mems[i].len : ninput);
		return 0;
	case BPF_MAP_LOOKUP_AND_DELETE_BATCH:
		return take_rows(c, attr);
	case BPF_BTF_GET_NEXT_ID:
		return byte() & 1 ? 0 : -ENOENT;
	default:
		return 0;
	}
}

static int64_t make(const struct sys_call *c)
{
	switch (c->op) {
	case SYS_BPF:
		return bpf(c);
	case SYS_PERF_OPEN:
		return next_fd++;
	case SYS_OPEN:
		return open_file(c->mems[0].at);
	case SYS_READ:
		return read_file(c);
	case SYS_PREAD:
	case SYS_LIST:
		fill(c->mems[0].at, c->mems[0].len < ninput ? c->mems[0].len : ninput);
		return byte() & 1 ? c->mems[0].len : byte() & 1 ? 24 : 0;
	case SYS_READLINK:
		strcpy(c->mems[1].at, "x");
		return 1;
	case SYS_CAPABLE:
	case SYS_TICK:
		return 1;
	default:
		return byte() & 1 ? -ENOENT : 0;
	}
}

/* ---- frames ---- */

static int listener = -1;
static struct sockaddr_un address = {.sun_family = AF_UNIX};
static struct wire agent;
static bool is_connected;
static unsigned int nanswers;

static void hang_up(void)
{
	if (is_connected)
		wire_free(&agent);
	is_connected = false;
}

/* Sends some records with the length in the input. */
static void send_records(void)
{
	struct wire_records head = {.time = clock_ns()};
	struct buf b = {0};
	char rec[256];

	if (byte() & 1)
		fill(&head.time, sizeof(head.time));
	for (unsigned int n = byte() & 3; n; n--) {
		uint64_t len = byte();

		fill(rec, len);
		buf_add(&b, &len, sizeof(len));
		buf_add(&b, rec, len);
		buf_pad(&b, '\0', -len & 7);
	}
	if (byte() & 1)
		put_text(&b);
	wire_send(&agent, WIRE_RECORDS, &head, sizeof(head), buf_str(&b), b.n);
	buf_free(&b);
}

/* Sends a result with possible errors: in the number, the length, some bytes. */
static void send_result(int64_t r, struct buf *bytes)
{
	uint8_t lie = ninput ? byte() : 0;
	struct buf b = {0};

	if (lie > 250)
		r = number();
	buf_add(&b, &r, sizeof(r));
	buf_add(&b, buf_str(bytes), bytes->n);
	if (lie == 250)
		b.n = (size_t)byte() % (b.n + 1);
	if (lie == 249)
		put_text(&b);
	if (lie == 248 && b.n)
		b.s[(byte() | (size_t)byte() << 8) % b.n] = (char)byte();
	if (lie == 247)
		send_records();
	wire_send(&agent, WIRE_RESULT, b.s, b.n, NULL, 0);
	buf_free(&b);
}

static void answer_call(const struct wire_head *h)
{
	struct buf b = {0};
	struct sys_call c;
	void *room;

	if (wire_get_call(h + 1, h->len, &c, &room)) {
		int64_t r = make(&c);

		wire_put_results(&b, &c, r);
		send_result(r, &b);
	}
	mem_free(room);
	buf_free(&b);
}

static void answer_area(const struct wire_head *h)
{
	struct buf b = {0};
	struct wire_area a;
	static char bytes[4096];

	memcpy(&a, h + 1, sizeof(a));
	for (uint64_t done = 0; h->type == WIRE_FETCH && done < a.size; done += sizeof(bytes)) {
		fill(bytes, a.size - done < sizeof(bytes) ? a.size - done : sizeof(bytes));
		buf_add(&b, bytes, a.size - done < sizeof(bytes) ? a.size - done : sizeof(bytes));
	}
	send_result(0, &b);
	buf_free(&b);
}

static void answer_ping(const struct wire_head *h)
{
	struct wire_ping ping;

	memcpy(&ping, h + 1, sizeof(ping));
	ping.answered = clock_ns();
	if (ninput && byte() > 200)
		ping.answered += (uint64_t)number();
	if (ninput && byte() > 250)
		ping.sent++;
	wire_send(&agent, WIRE_PONG, &ping, sizeof(ping), NULL, 0);
}

static void welcome(const struct wire_head *h)
{
	struct wire_hello hello = {.machine = arch_native->machine};

	wire_meet(&agent, h->session);
	if (ninput && byte() == 255)
		fill(&hello, sizeof(hello));
	wire_send(&agent, byte() == 255 ? WIRE_BUSY : WIRE_WELCOME, &hello, sizeof(hello), NULL, 0);
}

/* Returns true if there is an answer. */
static bool answer(const struct wire_head *h)
{
	switch ((enum wire_type)h->type) {
	case WIRE_HELLO:
		welcome(h);
		return true;
	case WIRE_CALL:
		answer_call(h);
		return true;
	case WIRE_MAP:
	case WIRE_UNMAP:
	case WIRE_FETCH:
	case WIRE_STORE:
	case WIRE_RING:
		answer_area(h);
		return true;
	case WIRE_PING:
		answer_ping(h);
		return true;
	default:
		return false;
	}
}

static void agent_turn(void)
{
	const struct wire_head *h;
	bool has_answer = false;

	if (!is_connected) {
		int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

		if (fd < 0)
			return;
		wire_init(&agent, fd, fd);
		is_connected = true;
	}
	wire_fill(&agent);
	while ((h = wire_next(&agent)) != NULL) {
		has_answer |= answer(h);
		nanswers++;
	}
	if (ninput && byte() == 254) {
		char noise[64];

		fill(noise, sizeof(noise));
		buf_add(&agent.sent, noise, sizeof(noise));
	}
	wire_flush(&agent);
	if (!has_answer || nanswers > ANSWERS_MAX)
		hang_up();
}

/* The agent answers first; then poll() returns at once. */
int poll(struct pollfd *p, nfds_t n, int ms)
{
	static const struct timespec now;

	agent_turn();
	return (int)syscall(SYS_ppoll, p, n, &now, NULL, 0);
}

/* ---- a run ---- */

static const char program[] =
    "BEGIN { @a = count(); @b[execname, pid] = sum(arg0); }\n"
    "rawtp:::sched_switch { @c[ustack(4), usym(arg0)] = avg(arg1); @q[stack(4)] = quantize(1);\n"
    "	trace(execname); stack(3); printf(\"%d %Y\", args[0]->pid, walltimestamp); printa(@q);\n"
    "	clear(@a); trunc(@b, 2); }\n";

static char *out;
static size_t out_size;
static FILE *file;

static void forget(void)
{
	unlink(address.sun_path);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	snprintf(address.sun_path, sizeof(address.sun_path), "/tmp/fuzz-peer-%d", getpid());
	unlink(address.sun_path);
	listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (bind(listener, (struct sockaddr *)&address, sizeof(address)) != 0 ||
	    listen(listener, 8) != 0)
		exit(1);
	atexit(forget);
	file = open_memstream(&out, &out_size);
	make_types();
	return 0;
}

/* Handles the session of a target as order.c and targets.c do. */
static void run(struct session *s)
{
	struct machine *m = s->machine;

	go_on();
	session_go(s);
	for (int i = 0; i < ROUNDS && !remote_lost(m); i++) {
		/* Unrequested frames. */
		if (is_connected && byte() & 1)
			send_records();
		agent_turn();
		remote_ping(m);
		session_round(s);
		clock_here(remote_clock(m), remote_complete(m));
		clock_error(remote_clock(m), remote_complete(m));
		aggs_save(&s->consume);
		consume_drops(&s->consume);
	}
	session_stop(s);
}

/* ---- calls without a session, which take a hundredth of the time ---- */

static int on_record(void *ctx, void *data, size_t len)
{
	uint64_t *sum = ctx;

	for (size_t i = 0; i < len; i++)
		*sum += ((uint8_t *)data)[i];
	return 0;
}

static void on_name(void *ctx, const char *name)
{
	*(uint64_t *)ctx += strlen(name);
}

/* Reads the values of an array, in memory that grows and is freed. */
static void use_area(struct machine *m)
{
	size_t size = 8 * (1 + byte());
	char *p = m->ops->map(m, byte(), size);

	if (!p)
		return;
	for (unsigned int n = byte() & 3; n; n--) {
		size_t at = byte() % size;

		m->ops->fetch(m, p + at, size - at);
		m->ops->store(m, p + at, size - at);
	}
	m->ops->unmap(m, p, size);
}

static void use_map(struct machine *m)
{
	struct sys_map map = {.name = "m", .key_size = 4, .value_size = 8, .max_entries = 4};
	char keys[256], values[512];
	uint32_t n = 32, next;
	struct bpf_btf_info info;
	int fd = sys_map_new(m, &map);

	sys_map_lookup(m, fd, keys, 8, values, byte());
	if (sys_map_take(m, fd, NULL, &next, keys, 8, values, 16, &n) == 0 && n > 32)
		abort();
	sys_btf_info(m, fd, &info, keys, sizeof(keys));
	sys_btf_next(m, 0, &next);
	sys_settle(m);
}

static void run_calls(struct machine *m)
{
	struct buf b = {0};
	char text[256];
	uint64_t sum = 0;

	while (ninput && !remote_lost(m)) {
		switch (byte() % 9) {
		case 0:
			use_area(m);
			break;
		case 1:
			use_map(m);
			break;
		case 2:
			sys_list(m, "/sys/x", on_name, &sum);
			break;
		case 3:
			if (sys_readlink(m, "/proc/1/exe", text, sizeof(text)) >= 0)
				sum += strlen(text);
			break;
		case 4:
			buf_reset(&b);
			sys_read_file(m, "/proc/x", &b);
			break;
		case 5:
			sys_iterate(m, 3);
			break;
		case 6:
			/* A ring is read once it is open. */
			if (m->ops->ring(m, 3, on_record, &sum) != 0)
				break;
			/* fall through */
		case 7:
			agent_turn();
			if (m->ops->ring(m, 3, on_record, &sum) == 0)
				m->ops->drain(m);
			break;
		case 8:
			remote_ping(m);
			remote_poll(m);
			sum += clock_here(remote_clock(m), remote_complete(m)) +
			       clock_error(remote_clock(m), remote_complete(m));
		}
		if (is_connected && byte() & 1)
			send_records();
	}
	buf_free(&b);
	if (sum == 1)
		fputs("", file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char channel[128];
	struct session *s;
	struct machine *m;
	const char *err;
	bool has_session;

	begin(data, size);
	nanswers = nfiles = 0;
	next_fd = FIRST_FD;
	snprintf(channel, sizeof(channel), "unix:%s", address.sun_path);
	has_session = !size || !(data[0] & 1);
	m = remote_open(channel, &err);
	if (m && !has_session) {
		go_on();
		run_calls(m);
		machine_free(m);
	} else if (m) {
		s = session_new_on("dtrace", m);
		s->report.file = s->consume.file = file;
		s->plan.opt.has_clock = s->plan.opt.is_timed = true;
		session_setopt(s, "opt", "0");
		compile_add_text(&s->compile, LANG_SPEC_NONE, program);
		if (session_compile(s) && compile_check_actions(&s->compile, 0) &&
		    compile_units(&s->compile) && session_load(s))
			run(s);
		session_free(s);
	}
	hang_up();
	for (unsigned int i = 0; i < FILES; i++)
		buf_free(&files[i].text);
	rewind(file);
	return 0;
}
