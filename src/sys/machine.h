/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * machine.h: the machine that is traced, as the system calls that are made on it: this one, or one
 * at the other end of a connection.  What asks for facts, loads and attaches makes its calls
 * through here and need not know which.
 *
 * Descriptors are those of the machine.  Calls return what the kernel does, or -errno.
 */
#ifndef SYS_MACHINE_H
#define SYS_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct machine;

/* What may be asked of a machine; nothing here changes a file. */
enum sys_op {
	SYS_BPF,	/* bpf(2): command, attributes, size of these */
	SYS_PERF_OPEN,	/* perf_event_open(2): attributes, pid, cpu */
	SYS_PERF_IOCTL, /* ioctl(2) of a perf event: descriptor, request, number */
	SYS_OPEN,	/* open(2) for reading: path, more flags */
	SYS_CLOSE,	/* close(2) */
	SYS_READ,	/* read(2): descriptor, memory, size; until that is full */
	SYS_PREAD,	/* pread(2): descriptor, memory, size, offset */
	SYS_READLINK,	/* readlink(2): path, memory, size */
	SYS_ACCESS,	/* access(2): path, mode */
	SYS_LIST,	/* getdents64(2): descriptor, memory, size */
	SYS_CAPABLE,	/* a capability, number; 1: this program has it */
	SYS_UPROBE,	/* the system call that only kernels make; -ENOSYS: there is none */
	SYS_TICK,	/* clock_getres(2) of a coarse clock: ns */
	SYS_OP_MAX
};

#define SYS_ARGS 4
#define SYS_MEMS 6

/*
 * Memory of a call.  Its address is an argument, or lies in other memory of the call, as pointers
 * in union bpf_attr do: `field` is where then.
 */
struct sys_mem {
	void *at;
	uint32_t len;
	bool is_in, is_out; /* the call reads it; it writes it */
	int arg;	    /* -1: it is the value of a field */
	uint64_t *field;
};

struct sys_call {
	enum sys_op op;
	int64_t args[SYS_ARGS];
	struct sys_mem mems[SYS_MEMS]; /* those that have fields before what these point to */
	unsigned int nmems;
};

/* Add memory: the address becomes the argument, or what is in the field. */
void sys_arg_in(struct sys_call *c, unsigned int arg, const void *p, size_t len);
void sys_arg_out(struct sys_call *c, unsigned int arg, void *p, size_t len);
void sys_arg_both(struct sys_call *c, unsigned int arg, void *p, size_t len);
void sys_field_in(struct sys_call *c, uint64_t *field, const void *p, size_t len);
void sys_field_both(struct sys_call *c, uint64_t *field, void *p, size_t len);
void sys_field_out(struct sys_call *c, uint64_t *field, void *p, size_t len);

/* Records of a ring buffer, in order; negative: stop behind this one. */
typedef int machine_record(void *ctx, void *data, size_t len);

struct machine_ops {
	long (*call)(struct machine *m, struct sys_call *c);

	/*
	 * The values of an array map.  What is there is what it is here between a fetch and a
	 * store; both do nothing where the memory is the same.
	 */
	void *(*map)(struct machine *m, int fd, size_t size);
	void (*unmap)(struct machine *m, void *p, size_t size);
	void (*fetch)(struct machine *m, void *p, size_t size);
	void (*store)(struct machine *m, const void *p, size_t size);

	/*
	 * Read a ring buffer, which is a map, from now on; 0 or -errno.  drain calls f for what is
	 * there: how many, or what f has returned.  ring_fd can be read when it is worth a drain.
	 */
	int (*ring)(struct machine *m, int fd, machine_record *f, void *ctx);
	int (*drain)(struct machine *m);
	int (*ring_fd)(struct machine *m);

	void (*free)(struct machine *m);
};

struct machine {
	const struct machine_ops *ops;
	bool is_here;
};

/* This machine; to be given back by machine_free, as all are. */
struct machine *machine_here(void);
void machine_free(struct machine *m);

/* As it is, by a system call of this process: for who makes calls of others. */
long sys_make(const struct sys_call *c);

/* Has who makes the calls the capability, or CAP_SYS_ADMIN? */
bool sys_capable(struct machine *m, int cap);

/* ---- files.c ---- */

int sys_open(struct machine *m, const char *path, int flags);
void sys_close(struct machine *m, int fd);
long sys_read(struct machine *m, int fd, void *p, size_t size);
long sys_pread(struct machine *m, int fd, void *p, size_t size, uint64_t off);
bool sys_exists(struct machine *m, const char *path); /* and can be read */

/* The text of a link in buf, which ends with a NUL; its length or -errno. */
long sys_readlink(struct machine *m, const char *path, char *text, size_t size);

/* All of a file; false: it cannot be opened. */
bool sys_read_file(struct machine *m, const char *path, struct buf *b);

/* The names in a directory, without those that begin with a dot. */
void sys_list(struct machine *m, const char *path, void (*f)(void *ctx, const char *name),
	      void *ctx);

#endif
