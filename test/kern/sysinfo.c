// SPDX-License-Identifier: BSD-2-Clause
/*
 * sysinfo.c: causes a known number of events of the sysinfo and vminfo providers, or a number that
 * the kernel reports for the thread.
 *
 * usage: sysinfo calls | cross | memory | disk FILE | swap DEVICE
 *
 * The device is overwritten.
 *
 * Counting begins and ends with the system calls getpgid(0x7ffffff1) and getpgid(0x7ffffff2).  A
 * call is repeated if something happened while the counters were read.  Lines "own NAME COUNT"
 * follow.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/swap.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define BEGINS 0x7ffffff1
#define ENDS   0x7ffffff2
#define PAGE   4096
#define PAGES  256

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static void own(const char *name, long long n)
{
	printf("own %s %lld\n", name, n);
}

static struct rusage mark(int what)
{
	struct rusage before, after;

	do {
		getrusage(RUSAGE_THREAD, &before);
		syscall(SYS_getpgid, what);
		getrusage(RUSAGE_THREAD, &after);
	} while (memcmp(&before.ru_minflt, &after.ru_minflt,
			sizeof(after) - offsetof(struct rusage, ru_minflt)) != 0);
	return after;
}

static void report(struct rusage a, struct rusage b)
{
	own("pswitch", b.ru_nvcsw - a.ru_nvcsw + b.ru_nivcsw - a.ru_nivcsw);
	own("inv_swtch", b.ru_nivcsw - a.ru_nivcsw);
	own("faults", b.ru_minflt - a.ru_minflt + b.ru_majflt - a.ru_majflt);
	own("maj_fault", b.ru_majflt - a.ru_majflt);
}

/* ---- system calls ---- */

static char bytes[8000];
static long long chars_read, chars_written;
static int ncalls_read, ncalls_written;

static void has_read(ssize_t n)
{
	ncalls_read++;
	chars_read += n > 0 ? n : 0;
}

static void has_written(ssize_t n)
{
	ncalls_written++;
	chars_written += n > 0 ? n : 0;
}

static void reads_and_writes(int file, int null)
{
	struct iovec io = {bytes, 300};
	ssize_t n;

	for (int i = 0; i < 5; i++) {
		has_read(pread(file, bytes, 100, 0));
		has_read(preadv(file, &io, 1, 0));
		has_read(preadv2(file, &io, 1, 0, 0));
		has_read(read(file, bytes, 1000));
		has_read(readv(file, &io, 1));
		has_read(read(-1, bytes, 100));
		has_written(write(null, bytes, 70));
		has_written(writev(null, &io, 1));
		has_written(pwrite(null, bytes, 50, 0));
		has_written(pwritev(null, &io, 1, 0));
		has_written(pwritev2(null, &io, 1, 0, 0));
		has_written(write(-1, bytes, 100));
	}
	n = sendfile(null, file, &(off_t){0}, 4000);
	if (n != 4000)
		die("sendfile");
	chars_read += n;
	chars_written += n;
}

static void *nothing(void *arg)
{
	return NULL;
}

static void children(void)
{
	pthread_t thread;
	pid_t pid;

	for (int i = 0; i < 3; i++) {
		if ((pid = fork()) == 0)
			_exit(0);
		waitpid(pid, NULL, 0);
	}
	for (int i = 0; i < 2; i++) {
		if ((pid = vfork()) == 0) {
			execl("/nonexistent", "nonexistent", NULL);
			_exit(0);
		}
		waitpid(pid, NULL, 0);
	}
	for (int i = 0; i < 4; i++) {
		pthread_create(&thread, NULL, nothing, NULL);
		pthread_join(thread, NULL);
	}
}

/* System V calls count even if they fail. */
static void messages(void)
{
	struct sembuf op = {0};

	for (int i = 0; i < 3; i++) {
		msgsnd(-1, bytes, 1, IPC_NOWAIT);
		msgrcv(-1, bytes, 1, 0, IPC_NOWAIT);
		semop(-1, &op, 1);
		semtimedop(-1, &op, 1, NULL);
	}
}

static void names(void)
{
	struct stat st;

	for (int i = 0; i < 5; i++) {
		close(open("/proc/self/stat", O_RDONLY));
		stat("/nonexistent", &st);
	}
}

static void calls(void)
{
	int file = memfd_create("data", 0), null = open("/dev/null", O_WRONLY);
	struct rusage begin, end;

	if (file < 0 || null < 0 || write(file, bytes, sizeof(bytes)) != sizeof(bytes))
		die("files");
	lseek(file, 0, SEEK_SET);
	begin = mark(BEGINS);
	reads_and_writes(file, null);
	children();
	messages();
	names();
	for (int i = 0; i < 20; i++) {
		usleep(1000);
		sched_yield();
	}
	end = mark(ENDS);
	own("sysread", ncalls_read);
	own("syswrite", ncalls_written);
	own("readch", chars_read);
	own("writech", chars_written);
	own("sysfork", 3);
	own("sysvfork", 2);
	own("nthreads", 9);
	own("sysexec", 2);
	own("msg", 6);
	own("sema", 6);
	own("namei", 10);
	report(begin, end);
}

/* ---- other processors ---- */

static volatile int is_over;

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static void *spin(void *arg)
{
	pin(1);
	while (!is_over)
		;
	return NULL;
}

/* Sends a request to the other processor, where the thread is running each time. */
static void cross(void)
{
	pthread_t thread;

	pin(0);
	if (syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) ||
	    pthread_create(&thread, NULL, spin, NULL))
		die("cross");
	usleep(50000);
	mark(BEGINS);
	for (int i = 0; i < 100; i++) {
		syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
		usleep(1000);
	}
	mark(ENDS);
	is_over = 1;
	pthread_join(thread, NULL);
	own("xcalls", 100);
}

/* ---- memory ---- */

static char *map(int fd, int flags)
{
	char *p = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, flags, fd, 0);

	if (p == MAP_FAILED)
		die("mmap");
	madvise(p, PAGES * PAGE, MADV_NOHUGEPAGE);
	madvise(p, PAGES * PAGE, MADV_RANDOM);
	return p;
}

static int touch(volatile char *p, int is_write)
{
	int sum = 0;

	for (int i = 0; i < PAGES; i++) {
		sum += p[i * PAGE];
		if (is_write)
			p[i * PAGE] = 1;
	}
	return sum;
}

static void memory(void)
{
	int file = memfd_create("data", 0);
	struct rusage begin, end;
	char *anon, *copy;

	if (file < 0 || ftruncate(file, PAGES * PAGE))
		die("memfd");
	touch(map(file, MAP_SHARED), 1);
	anon = map(-1, MAP_PRIVATE | MAP_ANONYMOUS);
	copy = map(file, MAP_PRIVATE);
	begin = mark(BEGINS);
	for (int i = 0; i < PAGES; i++)
		((volatile char *)anon)[i * PAGE] = 1;
	touch(copy, 0);
	touch(copy, 1);
	end = mark(ENDS);
	own("zfod", PAGES);
	own("cow_fault", PAGES);
	report(begin, end);
}

/* Writes a file and, when it is no longer in memory, reads it through a mapping. */
static void disk(const char *path)
{
	int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0644);
	struct rusage begin, end;
	char *p;

	if (file < 0)
		die(path);
	begin = mark(BEGINS);
	for (int i = 0; i < PAGES; i++)
		if (write(file, bytes, PAGE) != PAGE)
			die(path);
	if (fsync(file) || posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED))
		die("fsync");
	p = map(file, MAP_SHARED);
	touch(p, 0);
	end = mark(ENDS);
	own("fspgin", PAGES);
	own("fspgout", PAGES);
	report(begin, end);
}

/* The first page of swap space (union swap_header, include/linux/swap.h). */
static void make_swap(const char *path)
{
	static union {
		struct {
			char boot[1024];
			unsigned int version, last_page, nbad;
		};
		char page[PAGE];
	} head = {{.version = 1, .last_page = 4 * PAGES - 1}};
	int fd = open(path, O_WRONLY);

	memcpy(head.page + PAGE - 10, "SWAPSPACE2", 10);
	if (fd < 0 || write(fd, &head, PAGE) != PAGE || fsync(fd) || close(fd) || swapon(path, 0))
		die(path);
}

/*
 * The kernel skips a page that a processor has not yet put into its lists (lru_add_drain()).  Bit
 * 63 of a pagemap entry: the page is mapped (Documentation/admin-guide/mm/pagemap.rst).
 */
static void page_out(char *p)
{
	int fd = open("/proc/self/pagemap", O_RDONLY), left = 1;
	uint64_t entries[PAGES];

	for (int tries = 0; left && tries < 1000; tries++) {
		left = 0;
		if (madvise(p, PAGES * PAGE, MADV_PAGEOUT) ||
		    pread(fd, entries, sizeof(entries), (intptr_t)p / PAGE * 8) != sizeof(entries))
			die("madvise");
		for (int i = 0; i < PAGES; i++)
			left += (int)(entries[i] >> 63);
	}
	close(fd);
	if (left)
		die("pages stay in memory");
}

static void swap(const char *path)
{
	char *p = map(-1, MAP_PRIVATE | MAP_ANONYMOUS);
	struct rusage begin, end;

	make_swap(path);
	touch(p, 1);
	begin = mark(BEGINS);
	page_out(p);
	touch(p, 0);
	end = mark(ENDS);
	if (swapoff(path))
		die("swapoff");
	own("anonpgout", PAGES);
	report(begin, end);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (strcmp(what, "calls") == 0)
		calls();
	else if (strcmp(what, "memory") == 0)
		memory();
	else if (strcmp(what, "disk") == 0 && argc > 2)
		disk(argv[2]);
	else if (strcmp(what, "swap") == 0 && argc > 2)
		swap(argv[2]);
	else if (strcmp(what, "cross") == 0)
		cross();
	else
		return 2;
	return 0;
}
