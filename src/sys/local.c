/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * local.c: this machine.
 */
#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "sys/machine.h"

struct here {
	struct machine machine;
	struct ring_buffer *ring;
};

static struct sys_mem *add(struct sys_call *c, const void *p, size_t len)
{
	struct sys_mem *m = &c->mems[c->nmems++];

	*m = (struct sys_mem){.at = (void *)p, .len = (uint32_t)len, .arg = -1};
	return m;
}

static struct sys_mem *add_arg(struct sys_call *c, unsigned int arg, const void *p, size_t len)
{
	struct sys_mem *m = add(c, p, len);

	m->arg = (int)arg;
	c->args[arg] = (int64_t)(intptr_t)p;
	return m;
}

void sys_arg_in(struct sys_call *c, unsigned int arg, const void *p, size_t len)
{
	add_arg(c, arg, p, len)->is_in = true;
}

void sys_arg_out(struct sys_call *c, unsigned int arg, void *p, size_t len)
{
	add_arg(c, arg, p, len)->is_out = true;
}

void sys_arg_both(struct sys_call *c, unsigned int arg, void *p, size_t len)
{
	struct sys_mem *m = add_arg(c, arg, p, len);

	m->is_in = m->is_out = true;
}

static struct sys_mem *add_field(struct sys_call *c, uint64_t *field, const void *p, size_t len)
{
	struct sys_mem *m = add(c, p, len);

	m->field = field;
	*field = (uintptr_t)p;
	return m;
}

void sys_field_in(struct sys_call *c, uint64_t *field, const void *p, size_t len)
{
	add_field(c, field, p, len)->is_in = true;
}

void sys_field_both(struct sys_call *c, uint64_t *field, void *p, size_t len)
{
	struct sys_mem *mem = add_field(c, field, p, len);

	mem->is_in = mem->is_out = true;
}

void sys_field_out(struct sys_call *c, uint64_t *field, void *p, size_t len)
{
	add_field(c, field, p, len)->is_out = true;
}

/* CAP_SYS_ADMIN includes the capabilities that were split from it. */
static long capable(int cap)
{
	struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {0};

	if (cap < 0 || !cap_valid(cap))
		return -EINVAL;
	if (syscall(__NR_capget, &head, data) != 0)
		return -errno;
	return (data[CAP_TO_INDEX(cap)].effective & CAP_TO_MASK(cap)) ||
	       (data[CAP_TO_INDEX(CAP_SYS_ADMIN)].effective & CAP_TO_MASK(CAP_SYS_ADMIN));
}

#ifdef __x86_64__
/* Returns the type of perf events that are uprobes; 0: the kernel has none. */
static uint32_t uprobe_type(void)
{
	FILE *f = file_stream("/sys/bus/event_source/devices/uprobe/type");
	unsigned int type = 0;

	if (f && fscanf(f, "%u", &type) != 1)
		type = 0;
	if (f)
		fclose(f);
	return type;
}

/* Returns true if the kernel replaces the nop of a traced function of this process. */
static bool replaces_nop(void)
{
	static const uint8_t code[] = {0x0f, 0x1f, 0x44, 0x00, 0x00, 0xc3}; /* nop; ret */
	int file = memfd_create("nop", MFD_CLOEXEC), event;
	struct perf_event_attr attr = {.size = sizeof(attr), .type = uprobe_type()};
	char path[32];
	uint8_t *p;

	if (file < 0 || !attr.type || write(file, code, sizeof(code)) != sizeof(code))
		return false;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
	p = mmap(NULL, sizeof(code), PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0);
	attr.uprobe_path = (uintptr_t)path;
	event = (int)syscall(__NR_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (p == MAP_FAILED || event < 0)
		return false;
	/* The first call hits a breakpoint, which then becomes a call: 0xe8. */
	for (int i = 0; i < 3; i++)
		((void (*)(void))(uintptr_t)p)();
	return *(volatile uint8_t *)p == 0xe8;
}
#endif

/*
 * Returns 1 if the kernel replaces nops of five bytes by calls, 0 if it does not.  Tries with a
 * process of its own, because the kernel maps a page for such calls that stays.  Nobody waits for
 * the end of the process: removing its breakpoint takes the kernel some 70 ms.
 */
static long uprobe(void)
{
	char answer = 0;
#ifdef __x86_64__
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) != 0)
		return 0;
	pid = fork();
	if (pid == 0) {
		if (fork() == 0) {
			answer = (char)replaces_nop();
			_exit(write(ends[1], &answer, 1) != 1);
		}
		_exit(0);
	}
	close(ends[1]);
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	while (pid > 0 && read(ends[0], &answer, 1) < 0 && errno == EINTR)
		;
	close(ends[0]);
#endif
	return answer;
}

static long tick(void)
{
	struct timespec ts;

	return clock_getres(CLOCK_MONOTONIC_COARSE, &ts) == 0 ? ts.tv_nsec : -errno;
}

/* Reads until the memory is full: some kernel files return a page at a time. */
static long read_all(int fd, char *to, size_t size)
{
	size_t n = 0;
	ssize_t r = 1;

	while (n < size && (r = read(fd, to + n, size - n)) > 0)
		n += (size_t)r;
	return r < 0 && !n ? -1 : (long)n;
}

long sys_make(const struct sys_call *c)
{
	const int64_t *a = c->args;
	long r = -1;

	switch (c->op) {
	case SYS_BPF:
		r = syscall(__NR_bpf, a[0], a[1], a[2]);
		break;
	case SYS_PERF_OPEN:
		r = syscall(__NR_perf_event_open, a[0], a[1], a[2], -1, PERF_FLAG_FD_CLOEXEC);
		break;
	case SYS_PERF_IOCTL:
		r = syscall(__NR_ioctl, a[0], a[1], a[2]);
		break;
	case SYS_OPEN:
		r = file_open((const char *)(intptr_t)a[0], (int)a[1] | O_RDONLY | O_NONBLOCK);
		break;
	case SYS_CLOSE:
		r = syscall(__NR_close, a[0]);
		break;
	case SYS_READ:
		r = read_all((int)a[0], (char *)(intptr_t)a[1], (size_t)a[2]);
		break;
	case SYS_PREAD:
		r = syscall(__NR_pread64, a[0], a[1], a[2], a[3]);
		break;
	case SYS_READLINK:
		r = syscall(__NR_readlinkat, AT_FDCWD, a[0], a[1], a[2]);
		break;
	case SYS_ACCESS:
		r = syscall(__NR_faccessat, AT_FDCWD, a[0], a[1]);
		break;
	case SYS_LIST:
		r = syscall(__NR_getdents64, a[0], a[1], a[2]);
		break;
	case SYS_CAPABLE:
		return capable((int)a[0]);
	case SYS_UPROBE:
		r = uprobe();
		break;
	case SYS_TICK:
		return tick();
	case SYS_OP_MAX:
		return -EINVAL;
	}
	return r < 0 ? -errno : r;
}

bool sys_capable(struct machine *m, int cap)
{
	struct sys_call c = {.op = SYS_CAPABLE, .args = {cap}};

	return m->ops->call(m, &c) == 1;
}

static long call(struct machine *m, struct sys_call *c)
{
	return sys_make(c);
}

static void *map(struct machine *m, int fd, size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (p == MAP_FAILED)
		return NULL;
	/* A process that reads untrusted files (proc/jail.h) must not write here. */
	madvise(p, size, MADV_DONTFORK);
	return p;
}

static void unmap(struct machine *m, void *p, size_t size)
{
	munmap(p, size);
}

static void fetch(struct machine *m, void *p, size_t size)
{
}

static void store(struct machine *m, const void *p, size_t size)
{
}

static int ring(struct machine *m, int fd, machine_record *f, void *ctx)
{
	struct here *h = (struct here *)m;

	h->ring = ring_buffer__new(fd, f, ctx, NULL);
	return h->ring ? 0 : -errno;
}

static int drain(struct machine *m)
{
	return ring_buffer__consume(((struct here *)m)->ring);
}

static int ring_fd(struct machine *m)
{
	return ring_buffer__epoll_fd(((struct here *)m)->ring);
}

static void free_here(struct machine *m)
{
	ring_buffer__free(((struct here *)m)->ring);
	mem_free(m);
}

struct machine *machine_here(void)
{
	static const struct machine_ops ops = {.call = call,
					       .map = map,
					       .unmap = unmap,
					       .fetch = fetch,
					       .store = store,
					       .ring = ring,
					       .drain = drain,
					       .ring_fd = ring_fd,
					       .free = free_here};
	struct here *h = mem_alloc(sizeof(*h));

	h->machine = (struct machine){.ops = &ops, .is_here = true};
	return &h->machine;
}

void machine_free(struct machine *m)
{
	if (m)
		m->ops->free(m);
}
