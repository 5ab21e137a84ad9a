/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * machine.h: the traced machine, as the system calls made on it.  It is this machine, or one at the
 * other end of a connection.  Code that reads facts, loads and attaches makes its calls through
 * this interface and need not know which.
 *
 * Descriptors are the machine's.  Calls return the kernel's result, or -errno.
 */
#ifndef SYS_MACHINE_H
#define SYS_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct machine;

/* Calls that a machine can make.  None changes a file. */
enum sys_op {
	SYS_BPF,	/* bpf(2): command, attributes, size of these */
	SYS_PERF_OPEN,	/* perf_event_open(2): attributes, pid, cpu */
	SYS_PERF_IOCTL, /* ioctl(2) of a perf event: descriptor, request, number */
	SYS_OPEN,	/* open(2) for reading: path, more flags */
	SYS_CLOSE,	/* close(2) */
	SYS_READ,	/* read(2): descriptor, memory, size; repeats until the memory is full */
	SYS_PREAD,	/* pread(2): descriptor, memory, size, offset */
	SYS_READLINK,	/* readlink(2): path, memory, size */
	SYS_ACCESS,	/* access(2): path, mode */
	SYS_LIST,	/* getdents64(2): descriptor, memory, size */
	SYS_CAPABLE,	/* a capability, number; 1: the calling program has it */
	SYS_UPROBE,	/* tries whether the kernel replaces traced nops by calls: 1, or 0 */
	SYS_TICK,	/* clock_getres(2) of a coarse clock: ns */
	SYS_OP_MAX
};

#define SYS_ARGS 4
#define SYS_MEMS 6

/*
 * Memory of a call.  Its address is an argument, or is in a field of other memory of the call, as
 * pointers in union bpf_attr are.
 */
struct sys_mem {
	void *at;
	uint32_t len;
	bool is_in, is_out; /* the call reads it; the call writes it */
	int arg;	    /* -1: the address is in a field */
	uint64_t *field;
};

struct sys_call {
	enum sys_op op;
	int64_t args[SYS_ARGS];
	struct sys_mem mems[SYS_MEMS]; /* memory with fields comes before their targets */
	unsigned int nmems;
};

/* Add memory to a call.  Its address becomes the argument, or the value of the field. */
void sys_arg_in(struct sys_call *c, unsigned int arg, const void *p, size_t len);
void sys_arg_out(struct sys_call *c, unsigned int arg, void *p, size_t len);
void sys_arg_both(struct sys_call *c, unsigned int arg, void *p, size_t len);
void sys_field_in(struct sys_call *c, uint64_t *field, const void *p, size_t len);
void sys_field_both(struct sys_call *c, uint64_t *field, void *p, size_t len);
void sys_field_out(struct sys_call *c, uint64_t *field, void *p, size_t len);

/* Takes a record of a ring buffer, in order.  A negative result stops after this record. */
typedef int machine_record(void *ctx, void *data, size_t len);

struct machine_ops {
	long (*call)(struct machine *m, struct sys_call *c);

	/*
	 * Maps the values of an array map.  They equal the machine's values between a fetch and a
	 * store.  Both do nothing if the memory is shared.
	 */
	void *(*map)(struct machine *m, int fd, size_t size);
	void (*unmap)(struct machine *m, void *p, size_t size);
	void (*fetch)(struct machine *m, void *p, size_t size);
	void (*store)(struct machine *m, const void *p, size_t size);

	/*
	 * ring() starts reading a ring buffer, which is a map.  It returns 0 or -errno.  drain()
	 * calls f for all available records and returns their number, or f's negative result.
	 * ring_fd() returns a descriptor that is readable when drain() is useful.
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

/* Returns this machine.  Free it with machine_free, like any machine. */
struct machine *machine_here(void);
void machine_free(struct machine *m);

/* Makes the call in this process, on behalf of a remote caller. */
long sys_make(const struct sys_call *c);

/* Returns true if the caller of the machine's system calls has the capability, or CAP_SYS_ADMIN. */
bool sys_capable(struct machine *m, int cap);

/* ---- files.c ---- */

int sys_open(struct machine *m, const char *path, int flags);
void sys_close(struct machine *m, int fd);
long sys_read(struct machine *m, int fd, void *p, size_t size);
long sys_pread(struct machine *m, int fd, void *p, size_t size, uint64_t off);
bool sys_exists(struct machine *m, const char *path); /* true if it exists and can be read */

/* Reads a link into text, with a NUL.  Returns its length or -errno. */
long sys_readlink(struct machine *m, const char *path, char *text, size_t size);

/* Reads a whole file.  Returns false if it cannot be opened. */
bool sys_read_file(struct machine *m, const char *path, struct buf *b);

/* Calls F for the names in a directory, except those with a leading dot. */
void sys_list(struct machine *m, const char *path, void (*f)(void *ctx, const char *name),
	      void *ctx);

#endif
