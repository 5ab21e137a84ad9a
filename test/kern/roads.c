// SPDX-License-Identifier: BSD-2-Clause
/*
 * roads.c: bytes that move by other calls than read() and write().
 *
 * usage: roads FOLDER [many]
 *
 * Writes files in the folder: "calls" by copy_file_range(), sendfile(), splice() and pwritev2(),
 * "aio" by io_submit(), "uring" by io_uring.  Prints a line for each file that it read or wrote:
 * the operation, the name, and the bytes.  io_uring that the machine does not allow has no line.
 *
 * With "many", makes one call of io_submit() with ten writes of 100 bytes, of which the eighth is
 * for another file, and moves 500 bytes into a pipe by vmsplice(), into another by tee(), and out
 * of both by vmsplice().
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/io_uring.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define SIZE 40000

static char bytes[SIZE];

static int new_file(const char *name)
{
	return open(name, O_CREAT | O_RDWR | O_TRUNC, 0644);
}

static void by_calls(void)
{
	struct iovec iov = {bytes, 700};
	int from = new_file("source"), to = new_file("calls"), ends[2];
	long wrote = 0, got = 0, n;

	printf("write source %ld\n", (long)write(from, bytes, SIZE));
	lseek(from, 0, SEEK_SET);
	n = copy_file_range(from, NULL, to, NULL, 10000, 0);
	got += n;
	wrote += n;
	n = sendfile(to, from, NULL, 8000);
	got += n;
	wrote += n;
	if (pipe(ends))
		return;
	got += splice(from, NULL, ends[1], NULL, 6000, 0);
	wrote += splice(ends[0], NULL, to, NULL, 6000, 0);
	wrote += pwritev2(to, &iov, 1, 0, 0);
	printf("read source %ld\nwrite calls %ld\n", got, wrote);
}

static void by_aio(void)
{
	struct iovec iov[2] = {{bytes, 300}, {bytes, 40}};
	int fd = new_file("aio");
	struct iocb writes[3] = {{.aio_lio_opcode = IOCB_CMD_PWRITE,
				  .aio_fildes = fd,
				  .aio_buf = (unsigned long)bytes,
				  .aio_nbytes = 5000},
				 {.aio_lio_opcode = IOCB_CMD_PWRITE,
				  .aio_fildes = fd,
				  .aio_buf = (unsigned long)bytes,
				  .aio_nbytes = 1000,
				  .aio_offset = 5000},
				 {.aio_lio_opcode = IOCB_CMD_PWRITEV,
				  .aio_fildes = fd,
				  .aio_buf = (unsigned long)iov,
				  .aio_nbytes = 2,
				  .aio_offset = 6000}};
	/* The file ends before this read does. */
	struct iocb read = {.aio_lio_opcode = IOCB_CMD_PREAD,
			    .aio_fildes = fd,
			    .aio_buf = (unsigned long)bytes,
			    .aio_nbytes = 9000,
			    .aio_offset = 40};
	struct iocb *list[4] = {&writes[0], &writes[1], &writes[2], &read};
	struct io_event events[4];
	aio_context_t ctx = 0;
	long wrote = 0, got = 0, n;

	if (syscall(SYS_io_setup, 8, &ctx) || syscall(SYS_io_submit, ctx, 3, list) != 3)
		return;
	n = syscall(SYS_io_getevents, ctx, 3, 4, events, NULL);
	for (long i = 0; i < n; i++)
		wrote += events[i].res;
	if (syscall(SYS_io_submit, ctx, 1, list + 3) == 1 &&
	    syscall(SYS_io_getevents, ctx, 1, 4, events, NULL) == 1)
		got = events[0].res;
	printf("write aio %ld\nread aio %ld\n", wrote, got);
}

static void by_many(void)
{
	struct iovec iov = {bytes, 500};
	struct iocb writes[10], *list[10];
	struct io_event events[10];
	int fd = new_file("many"), other = new_file("other"), one[2], two[2];
	aio_context_t ctx = 0;

	for (int i = 0; i < 10; i++) {
		writes[i] = (struct iocb){.aio_lio_opcode = IOCB_CMD_PWRITE,
					  .aio_fildes = i == 7 ? other : fd,
					  .aio_buf = (unsigned long)bytes,
					  .aio_nbytes = 100};
		list[i] = &writes[i];
	}
	if (syscall(SYS_io_setup, 10, &ctx) || syscall(SYS_io_submit, ctx, 10, list) != 10 ||
	    syscall(SYS_io_getevents, ctx, 10, 10, events, NULL) != 10 || pipe(one) || pipe(two))
		return;
	if (vmsplice(one[1], &iov, 1, 0) == 500 && tee(one[0], two[1], 500, 0) == 500 &&
	    vmsplice(one[0], &iov, 1, 0) == 500 && vmsplice(two[0], &iov, 1, 0) == 500)
		printf("write many 700\n");
}

struct ring {
	struct io_uring_params params;
	char *submitted, *completed;
	struct io_uring_sqe *entries;
	int fd;
};

static unsigned int *word(char *at, unsigned int off)
{
	return (unsigned int *)(at + off);
}

/* Runs a request, and returns the bytes that it moved: kernels refuse some requests. */
static long run(struct ring *r, int op, int fd, void *at, unsigned int len, int flags)
{
	const struct io_sqring_offsets *s = &r->params.sq_off;
	const struct io_cqring_offsets *c = &r->params.cq_off;
	unsigned int *tail = word(r->submitted, s->tail), *head = word(r->completed, c->head);
	unsigned int i = *tail & *word(r->submitted, s->ring_mask);
	struct io_uring_cqe *done = (struct io_uring_cqe *)(r->completed + c->cqes) +
				    (*head & *word(r->completed, c->ring_mask));
	long res;

	memset(&r->entries[i], 0, sizeof(r->entries[i]));
	r->entries[i].opcode = op;
	r->entries[i].flags = flags;
	r->entries[i].fd = fd;
	r->entries[i].addr = (unsigned long)at;
	r->entries[i].len = len;
	r->entries[i].off = -1ULL;
	word(r->submitted, s->array)[i] = i;
	__atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
	syscall(SYS_io_uring_enter, r->fd, 1, 1, IORING_ENTER_GETEVENTS | IORING_ENTER_SQ_WAKEUP,
		NULL, 0);
	res = done->res;
	__atomic_store_n(head, *head + 1, __ATOMIC_RELEASE);
	return res > 0 ? res : 0;
}

static int ring_open(struct ring *r, unsigned int flags)
{
	*r = (struct ring){.params = {.flags = flags}};
	r->fd = syscall(SYS_io_uring_setup, 8, &r->params);
	if (r->fd < 0)
		return -1;
	r->submitted =
	    mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, r->fd, IORING_OFF_SQ_RING);
	r->completed =
	    mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, r->fd, IORING_OFF_CQ_RING);
	r->entries = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, r->fd, IORING_OFF_SQES);
	return 0;
}

/* A request that the ring's own thread takes, or a worker, still belongs to the process. */
static void by_uring(const char *name, unsigned int setup, int flags)
{
	struct iovec all = {bytes, SIZE}, iov[2] = {{bytes, 100}, {bytes, 20}};
	struct ring r;
	long wrote = 0;
	int fd;

	if (ring_open(&r, setup))
		return;
	fd = new_file(name);
	syscall(SYS_io_uring_register, r.fd, IORING_REGISTER_BUFFERS, &all, 1);
	syscall(SYS_io_uring_register, r.fd, IORING_REGISTER_FILES, &fd, 1);
	wrote += run(&r, IORING_OP_WRITE, fd, bytes, 5000, flags);
	wrote += run(&r, IORING_OP_WRITEV, fd, iov, 2, flags);
	wrote += run(&r, IORING_OP_WRITE_FIXED, fd, bytes, 3000, flags);
	wrote += run(&r, IORING_OP_WRITE, 0, bytes, 400, flags | IOSQE_FIXED_FILE);
	lseek(fd, 0, SEEK_SET);
	printf("write %s %ld\nread %s %ld\n", name, wrote, name,
	       run(&r, IORING_OP_READ, fd, bytes, SIZE, flags));
}

int main(int argc, char **argv)
{
	if (argc < 2 || chdir(argv[1]))
		return 1;
	if (argc > 2) {
		by_many();
		return 0;
	}
	by_calls();
	by_aio();
	by_uring("uring", 0, 0);
	by_uring("worker", 0, IOSQE_ASYNC);
	by_uring("polled", IORING_SETUP_SQPOLL, 0);
	return 0;
}
