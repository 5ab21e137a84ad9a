#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
#
# load_memory.py FOLDER CGROUP SEED COUNT: COUNT random faults of every kind, in CGROUP.
#
# Makes the directory FOLDER/ready, waits for FOLDER/go, runs, makes the directory FOLDER/ran, and waits for FOLDER/stop.  Then it writes
# FOLDER/want: its counts of getrusage, and the pages that it knows.  getpriority() marks where counting begins and ends.
import collections
import ctypes
import faulthandler
import mmap
import os
import random
import resource
import sys
import time

libc = ctypes.CDLL(None, use_errno=True)
PAGE = 4096
HUGE = 2 << 20
MARKS = {"end": 1000010, "zfod": 1000011, "cow_fault": 1000012, "pgpgin": 1000013}


def read_bytes():
    with open("/proc/self/io") as f:
        return int(f.read().split("read_bytes:")[1].split()[0])


class Load:
    def __init__(self, folder, seed):
        self.rng = random.Random(seed)
        self.path = folder + "/file"
        with open(self.path, "wb") as f:
            f.write(b"x" * PAGE * 600)
        self.file = os.open(self.path, os.O_RDWR)
        os.fsync(self.file)
        self.pages = collections.Counter()

    def touched(self, memory, write):
        """Touches random pages in random order, each once; returns their number."""
        pages = list(range(len(memory) // PAGE))
        self.rng.shuffle(pages)
        pages = pages[:self.rng.randrange(1, len(pages) + 1)]
        for page in pages:
            if write:
                memory[page * PAGE] = 1
            else:
                memory[page * PAGE]
        return pages

    def anonymous(self, size):
        memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        memory.madvise(mmap.MADV_NOHUGEPAGE)
        return memory

    def step_anonymous(self):
        with self.anonymous(PAGE * self.rng.randrange(1, 200)) as memory:
            self.touched(memory, True)

    def step_zero_page(self):
        """Pages that are read first are the zero page; writes replace it."""
        with self.anonymous(PAGE * 50) as memory:
            for page in self.touched(memory, False):
                memory[page * PAGE] = 1

    def step_huge(self):
        with mmap.mmap(-1, 2 * HUGE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as memory:
            memory.madvise(mmap.MADV_HUGEPAGE)
            for at in range(0, 2 * HUGE, 64 * PAGE):
                memory[at] = 1

    def step_file(self):
        with mmap.mmap(self.file, PAGE * 600, flags=mmap.MAP_SHARED) as memory:
            self.touched(memory, self.rng.random() < 0.3)

    def step_major(self):
        os.fsync(self.file)
        os.posix_fadvise(self.file, 0, 0, os.POSIX_FADV_DONTNEED)
        with mmap.mmap(self.file, PAGE * 600, flags=mmap.MAP_SHARED, prot=mmap.PROT_READ) as memory:
            if self.rng.random() < 0.5:
                memory.madvise(mmap.MADV_RANDOM)
            self.touched(memory, False)

    def step_private(self):
        with mmap.mmap(self.file, PAGE * 600, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ | mmap.PROT_WRITE) as memory:
            for page in self.touched(memory, False)[::3]:
                memory[page * PAGE] = 2

    def step_fork(self):
        """The parent writes to pages that it shares with a child."""
        with self.anonymous(PAGE * 60) as memory:
            pages = self.touched(memory, True)
            reader, writer = os.pipe()
            child = os.fork()
            if child == 0:
                os.close(writer)
                os.read(reader, 1)
                os._exit(0)
            for page in pages:
                memory[page * PAGE] = 3
            os.close(writer)
            os.close(reader)
            os.waitpid(child, 0)

    def step_system_call(self):
        """The kernel writes to memory of the process."""
        with self.anonymous(PAGE * 40) as memory:
            os.preadv(self.file, [memory], 0)

    def step_reclaim(self):
        """More than the limit of the cgroup."""
        with open(self.path + "-big", "wb") as f:
            for _ in range(30):
                f.write(bytes(1 << 20))
        with self.anonymous(24 << 20) as memory:
            for at in range(0, len(memory), PAGE):
                memory[at] = 1

    def exactly(self, name, memory, pages):
        """
        Writes these first pages with one call, so that the process does nothing else, and notes their number.
        Before, it does the same with no page, because after fork() the objects of Python are on shared pages.
        """
        at = ctypes.c_char.from_buffer(memory)
        for mark, size in ((1, 0), (1, 0), (MARKS[name], PAGE * pages)):
            libc.getpriority(0, mark)
            libc.memset(ctypes.byref(at), 5, size)
            libc.getpriority(0, MARKS["end"])
        del at
        self.pages[name] += pages

    def step_exact_zero(self):
        with self.anonymous(PAGE * 300) as memory:
            self.exactly("zfod", memory, self.rng.randrange(1, 301))

    def step_exact_copy(self):
        """Half of these pages are shared with a child, the others are of a file."""
        reader, writer = os.pipe()
        with self.anonymous(PAGE * 100) as memory:
            memory[:] = b"x" * len(memory)
            child = os.fork()
            if child == 0:
                os.close(writer)
                os.read(reader, 1)
                os._exit(0)
            self.exactly("cow_fault", memory, self.rng.randrange(1, 101))
            os.close(writer)
            os.close(reader)
            os.waitpid(child, 0)
        with mmap.mmap(self.file, PAGE * 100, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ | mmap.PROT_WRITE) as memory:
            for at in range(0, len(memory), PAGE):
                memory[at]
            self.exactly("cow_fault", memory, self.rng.randrange(1, 101))

    def step_exact_read(self):
        """Pages from the disk: the kernel's own count is read_bytes of /proc/self/io."""
        os.fsync(self.file)
        os.posix_fadvise(self.file, 0, 0, os.POSIX_FADV_DONTNEED)
        offset, length = self.rng.randrange(600), self.rng.randrange(1, 300)
        before = read_bytes()
        libc.getpriority(0, MARKS["pgpgin"])
        os.pread(self.file, length * PAGE, offset * PAGE)
        libc.getpriority(0, MARKS["end"])
        self.pages["pgpgin"] += (read_bytes() - before) // PAGE

    def run(self, count):
        steps = [getattr(self, n) for n in sorted(dir(self)) if n.startswith("step_")]
        for _ in range(count):
            self.rng.choice(steps)()


def faults():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_minflt, usage.ru_majflt


def mark(which):
    """Marks a moment with which the counts belong, because they are the same before and after."""
    while True:
        before = faults()
        libc.getpriority(0, 1000000 + which)
        if faults() == before:
            return before


def wait_for(name):
    """Returns the counts while the process only waits."""
    while not os.access(name, os.F_OK):
        time.sleep(0.05)
        counts = faults()
    return counts


def main():
    folder, cgroup, seed, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    faulthandler.dump_traceback_later(60, exit=True)
    with open(cgroup + "/cgroup.procs", "w") as f:
        f.write(str(os.getpid()))
    load = Load(folder, seed)
    os.mkdir(folder + "/ready")
    first = wait_for(folder + "/go")
    before = mark(1)
    load.run(count)
    after = mark(2)
    os.mkdir(folder + "/ran")
    last = wait_for(folder + "/stop")
    with open(folder + "/want", "w") as f:
        print("faults", sum(after) - sum(before), file=f)
        print("major", after[1] - before[1], file=f)
        for name, pages in load.pages.items():
            print(name, pages, file=f)
        print("pagefaults-FAULTS", sum(last) - sum(first), file=f)
        print("pagefaults-DISK", last[1] - first[1], file=f)


main()
