#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
#
# load_files.py FOLDER SEED COUNT: COUNT random operations on files in FOLDER/load, by every road that moves bytes.
#
# Waits for FOLDER/go, runs, makes the directory FOLDER/ran, and waits for FOLDER/stop.  Then it writes FOLDER/want:
#	file OPERATION ROAD NAME BYTES COUNT	what it did to each file
#	all NAME NUMBER				sums of the process, of which some are from /proc/self/io
# Each operation is checked by its own result.  All files have sizes that the load knows, which it compares with stat(2).
import collections
import ctypes
import mmap
import os
import random
import struct
import sys
import time

libc = ctypes.CDLL(None, use_errno=True)
SYS_io_setup, SYS_io_getevents, SYS_io_submit = 206, 208, 209
SYS_tee, SYS_vmsplice, SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register = 276, 278, 425, 426, 427
if os.uname().machine == "aarch64":
    SYS_io_setup, SYS_io_getevents, SYS_io_submit, SYS_tee, SYS_vmsplice = 0, 4, 2, 77, 75
SQPOLL, SQ_WAKEUP, GETEVENTS, ASYNC, FIXED_FILE = 2, 2, 1, 16, 1
READV, WRITEV, READ_FIXED, WRITE_FIXED, READ, WRITE = 1, 2, 4, 5, 22, 23
ALIGN = 4096
ROOM = 1 << 20


def syscall(*args):
    result = libc.syscall(*(ctypes.c_long(a) for a in args))
    if result < 0:
        raise OSError(ctypes.get_errno(), f"system call {args[0]}")
    return result


class Ring:
    def __init__(self, flags):
        params = bytearray(120)
        struct.pack_into("I", params, 8, flags)
        at = (ctypes.c_char * 120).from_buffer(params)
        self.fd = syscall(SYS_io_uring_setup, 8, ctypes.addressof(at))
        self.sq = struct.unpack_from("10I", params, 40)
        self.cq = struct.unpack_from("10I", params, 80)
        self.submitted = mmap.mmap(self.fd, 4096, offset=0)
        self.completed = mmap.mmap(self.fd, 4096, offset=0x8000000)
        self.entries = mmap.mmap(self.fd, 4096, offset=0x10000000)

    def run(self, op, fd, at, length, offset, flags):
        tail = struct.unpack_from("I", self.submitted, self.sq[1])[0]
        head = struct.unpack_from("I", self.completed, self.cq[0])[0]
        i = tail & struct.unpack_from("I", self.submitted, self.sq[2])[0]
        self.entries[i * 64:i * 64 + 64] = struct.pack("BBHiQQI", op, flags, 0, fd, offset, at, length).ljust(64, b"\0")
        struct.pack_into("I", self.submitted, self.sq[6] + 4 * i, i)
        struct.pack_into("I", self.submitted, self.sq[1], tail + 1)
        syscall(SYS_io_uring_enter, self.fd, 1, 1, GETEVENTS | SQ_WAKEUP, 0, 0)
        slot = head & struct.unpack_from("I", self.completed, self.cq[2])[0]
        result = struct.unpack_from("i", self.completed, self.cq[5] + slot * 16 + 8)[0]
        struct.pack_into("I", self.completed, self.cq[0], head + 1)
        if result < 0:
            raise OSError(-result, f"request {op} of io_uring")
        return result


class Load:
    def __init__(self, folder, seed):
        self.rng = random.Random(seed)
        self.folder = folder + "/load"
        os.mkdir(self.folder)
        os.chdir(self.folder)
        self.did = collections.Counter()
        self.bytes = collections.Counter()
        self.sums = collections.Counter()
        self.sizes = {}
        self.memory = mmap.mmap(-1, ROOM)
        self.at = ctypes.addressof(ctypes.c_char.from_buffer(self.memory))
        self.memory[:] = random.Random(seed).randbytes(ROOM)
        self.ends = os.pipe()
        self.other_ends = os.pipe()
        self.context = ctypes.c_ulong(0)
        syscall(SYS_io_setup, 16, ctypes.addressof(self.context))
        self.rings = []

    def note(self, op, name, moved=0, road="call"):
        self.did[op, road, name] += 1
        self.bytes[op, road, name] += max(moved, 0)

    def open(self, name, flags=0):
        fd = os.open(name, os.O_RDWR | os.O_CREAT | flags, 0o644)
        self.note("open", name, road="-")
        self.sizes.setdefault(name, 0)
        return fd

    def close(self, name, fd):
        self.note("close", name, road="-")
        os.close(fd)

    def wrote(self, name, offset, moved):
        self.sizes[name] = max(self.sizes[name], offset + moved)

    def size(self):
        return self.rng.choice([1, 7, 100, 512, 4096, 4097, 10000, 65536, self.rng.randrange(1, 200000)])

    def parts(self, size):
        """A vector with this size: its address and its number of parts."""
        cuts = sorted(self.rng.randrange(size + 1) for _ in range(self.rng.randrange(4)))
        lengths = [b - a for a, b in zip([0] + cuts, cuts + [size])]
        self.iov = (ctypes.c_ulong * (2 * len(lengths)))(*sum(([self.at, n] for n in lengths), []))
        return ctypes.addressof(self.iov), len(lengths)

    # Each step_* takes a file with its name and size.

    def step_write(self, name, fd, size):
        offset = os.lseek(fd, self.rng.randrange(self.sizes[name] + 5000), os.SEEK_SET)
        moved = os.write(fd, self.memory[:size]) if self.rng.random() < 0.5 else os.writev(fd, [self.memory[:size], b"xyz"])
        self.note("write", name, moved)
        self.sums["writes"] += 1
        self.wrote(name, offset, moved)

    def step_append(self, name, fd, size):
        fd = self.open(name, os.O_APPEND)
        moved = os.write(fd, self.memory[:size])
        self.note("write", name, moved)
        self.sums["writes"] += 1
        self.wrote(name, self.sizes[name], moved)
        self.close(name, fd)

    def step_flagged(self, name, fd, size):
        fd = self.open(name, self.rng.choice([os.O_SYNC, os.O_DSYNC, os.O_NOATIME, os.O_NONBLOCK]))
        self.step_write(name, fd, size)
        self.step_read(name, fd, size)
        self.close(name, fd)

    def step_pwrite(self, name, fd, size):
        offset = self.rng.randrange(100000)
        if self.rng.random() < 0.4:
            moved = os.pwrite(fd, self.memory[:size], offset)
        elif self.rng.random() < 0.5:
            moved = os.pwritev(fd, [self.memory[:size], b"12345"], offset, self.rng.choice([0, os.RWF_DSYNC, os.RWF_SYNC]))
        else:
            moved = os.pwritev(fd, [self.memory[:size]], offset, 0x10)
            offset = self.sizes[name]
        self.note("write", name, moved)
        self.sums["writes"] += 1
        self.wrote(name, offset, moved)

    def step_read(self, name, fd, size):
        os.lseek(fd, self.rng.randrange(self.sizes[name] + 1000), os.SEEK_SET)
        if self.rng.random() < 0.5:
            moved = len(os.read(fd, size))
        else:
            moved = os.readv(fd, [bytearray(size), bytearray(9)])
        self.note("read", name, moved)
        self.sums["reads"] += 1

    def step_pread(self, name, fd, size):
        offset = self.rng.randrange(self.sizes[name] + 1000)
        if self.rng.random() < 0.5:
            moved = len(os.pread(fd, size, offset))
        else:
            moved = os.preadv(fd, [bytearray(size)], offset, self.rng.choice([0, os.RWF_HIPRI]))
        self.note("read", name, moved)
        self.sums["reads"] += 1

    def step_direct(self, name, fd, size):
        name += "-direct"
        try:
            fd = self.open(name, os.O_DIRECT)
        except OSError:
            return
        size = ALIGN * (1 + size // ALIGN)
        self.memory.seek(0)
        moved = os.writev(fd, [memoryview(self.memory)[:size]])
        self.note("write", name, moved)
        self.wrote(name, 0, moved)
        self.note("read", name, os.preadv(fd, [memoryview(self.memory)[:size]], 0))
        self.sums["writes"] += 1
        self.sums["reads"] += 1
        self.close(name, fd)

    def copied(self, source, name, offset, moved, road):
        self.note("read", source, moved)
        self.note("write", name, moved)
        self.wrote(name, offset, moved)
        self.sums[road] += 1
        self.sums[road + "-bytes"] += moved

    def step_copy(self, name, fd, size):
        source = self.rng.choice([n for n in self.sizes if n != name])
        other = self.open(source)
        offset = os.lseek(fd, self.rng.randrange(100000), os.SEEK_SET)
        os.lseek(other, self.rng.randrange(self.sizes[source] + 1), os.SEEK_SET)
        if self.rng.random() < 0.5:
            moved = os.copy_file_range(other, fd, size)
            # The kernel counts no call that begins at the end of the file.
            self.sums["copies"] -= moved == 0
        else:
            moved = os.sendfile(fd, other, None, size)
        self.copied(source, name, offset, moved, "copies")
        self.close(source, other)

    def step_splice(self, name, fd, size):
        size = min(size, 40000)
        source = self.rng.choice([n for n in self.sizes if n != name])
        other = self.open(source)
        offset = self.rng.randrange(100000)
        moved = os.splice(other, self.ends[1], size, offset_src=self.rng.randrange(self.sizes[source] + 1))
        self.note("read", source, moved)
        self.sums["splices"] += 1
        self.sums["splice-bytes"] += moved
        end = self.ends[0]
        if moved and self.rng.random() < 0.5:
            self.sums["tee-bytes"] += syscall(SYS_tee, self.ends[0], self.other_ends[1], moved, 0)
            end = self.other_ends[0]
            self.drain(self.ends[0], moved)
        while moved:
            n = os.splice(end, fd, moved, offset_dst=offset)
            self.note("write", name, n)
            self.sums["splices"] += 1
            self.sums["splice-bytes"] += n
            self.wrote(name, offset, n)
            offset += n
            moved -= n
        self.close(source, other)

    def drain(self, end, left):
        while left:
            n = len(os.read(end, left))
            self.sums["reads"] += 1
            left -= n

    def step_vmsplice(self, name, fd, size):
        size = min(size, 30000)
        at, n = self.parts(size)
        moved = syscall(SYS_vmsplice, self.ends[1], at, n, 0)
        self.sums["vmsplice-bytes"] += moved
        offset = os.lseek(fd, self.rng.randrange(50000), os.SEEK_SET)
        while moved:
            n = os.splice(self.ends[0], fd, moved)
            self.note("write", name, n)
            self.sums["splices"] += 1
            self.sums["splice-bytes"] += n
            self.wrote(name, offset, n)
            offset += n
            moved -= n

    def step_aio(self, name, fd, size):
        """Reads come before writes: dtrace knows the size that the file has before the call."""
        requests, wants = [], []
        for op in sorted((self.rng.choice([0, 1, 7, 8]) for _ in range(self.rng.randrange(1, 9))), key=(0, 7, 1, 8).index):
            offset = self.rng.randrange(100000)
            if op in (0, 7):
                offset = self.rng.randrange(self.sizes[name] + 1)
            wants.append((op, offset))
            at, n = (self.at, size) if op < 7 else self.parts(size)
            requests.append((struct.pack("QIiHhIQQqQII", 0, 0, 0, op, 0, fd, at, n, offset, 0, 0, 0), self.iov if op > 6 else 0))
        blocks = [ctypes.create_string_buffer(data, 64) for data, _ in requests]
        table = (ctypes.c_ulong * len(blocks))(*(ctypes.addressof(b) for b in blocks))
        syscall(SYS_io_submit, self.context.value, len(blocks), ctypes.addressof(table))
        events = ctypes.create_string_buffer(32 * len(blocks))
        syscall(SYS_io_getevents, self.context.value, len(blocks), len(blocks), ctypes.addressof(events), 0)
        moved = {"read": 0, "write": 0}
        for i in range(len(blocks)):
            _, block, result, _ = struct.unpack_from("QQqq", events, 32 * i)
            index = list(table).index(block)
            op, offset = wants[index]
            moved["read" if op in (0, 7) else "write"] += result
            if op in (1, 8):
                self.wrote(name, offset, result)
        for way, n in moved.items():
            if n:
                self.note(way, name, n, "io_submit")
                self.sums[f"other-{way}-bytes"] += n

    def step_uring(self, name, fd, size):
        ring = self.rng.choice(self.rings)
        op = self.rng.choice([READV, WRITEV, READ_FIXED, WRITE_FIXED, READ, WRITE])
        flags = self.rng.choice([0, 0, ASYNC])
        at, n = self.parts(size) if op in (READV, WRITEV) else (self.at, size)
        way = "read" if op in (READV, READ_FIXED, READ) else "write"
        offset = self.rng.randrange(self.sizes[name] + 1000)
        moved = ring.run(op, fd, at, n, offset, flags)
        self.note(way, name, moved, "io_uring")
        self.sums[f"other-{way}-bytes"] += moved
        if way == "write":
            self.wrote(name, offset, moved)

    def step_truncate(self, name, fd, size):
        if self.rng.random() < 0.5:
            os.ftruncate(fd, size)
        else:
            os.truncate(name, size)
        self.note("setattr", name, road="-")
        self.sizes[name] = size

    def step_mapped(self, name, fd, size):
        """Stores that no probe of bytes sees."""
        if self.sizes[name]:
            with mmap.mmap(fd, self.sizes[name]) as memory:
                memory[0] = 1
                memory.flush()
            # Python asks for the size, and maps a copy of the descriptor.
            self.note("getattr", name, road="-")
            self.note("close", name, road="-")

    def step_sync(self, name, fd, size):
        self.rng.choice([os.fsync, os.fdatasync])(fd)
        self.note("fsync", name, road="-")

    def step_names(self, name, fd, size):
        new = f"new{self.rng.randrange(1000000)}"
        os.close(self.open(new))
        self.note("close", new, road="-")
        del self.sizes[new]
        os.link(new, new + "-link")
        self.note("link", new + "-link", road="-")
        os.symlink(new, new + "-symlink")
        self.note("symlink", new + "-symlink", road="-")
        os.readlink(new + "-symlink")
        self.note("readlink", new + "-symlink", road="-")
        os.chmod(new, 0o600)
        self.note("setattr", new, road="-")
        os.stat(new)
        self.note("getattr", new, road="-")
        for end in ("", "-link", "-symlink"):
            os.unlink(new + end)
            self.note("remove", new + end, road="-")
        os.mkdir(new + "-dir")
        self.note("mkdir", new + "-dir", road="-")
        os.rmdir(new + "-dir")
        self.note("rmdir", new + "-dir", road="-")

    def prepare(self):
        for flags in (0, SQPOLL):
            try:
                self.rings.append(Ring(flags))
            except OSError:
                continue
            vector = (ctypes.c_ulong * 2)(self.at, ROOM)
            syscall(SYS_io_uring_register, self.rings[-1].fd, 0, ctypes.addressof(vector), 1)
        self.files = [f"file{i}" for i in range(6)]
        for name in self.files:
            fd = self.open(name)
            os.ftruncate(fd, 30000)
            self.sizes[name] = 30000
            os.close(fd)
        self.did.clear()
        self.steps = [getattr(self, n) for n in sorted(dir(self)) if n.startswith("step_")]
        if not self.rings:
            self.steps.remove(self.step_uring)

    def step(self):
        name, step = self.rng.choice(self.files), self.rng.choice(self.steps)
        fd = self.open(name)
        step(name, fd, self.size())
        self.close(name, fd)
        if self.rng.random() < 0.2:
            size = os.stat(name).st_size
            self.note("getattr", name, road="-")
            if size != self.sizes[name]:
                raise SystemExit(f"{step.__name__}: {name} has {size} bytes, not {self.sizes[name]}")


def read_io(fd):
    """The counts of /proc/self/io, and the bytes of the read itself, which belong to the next ones."""
    text = os.pread(fd, 4096, 0)
    return collections.Counter({k[:-1]: int(v) for k, v in zip(*[iter(text.decode().split())] * 2)}), len(text)


def wait_for(name):
    while not os.access(name, os.F_OK):
        time.sleep(0.05)


def main():
    folder, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    load = Load(folder, seed)
    load.prepare()
    io = os.open("/proc/self/io", os.O_RDONLY)
    wait_for(folder + "/go")
    before, length = read_io(io)
    before["rchar"] += length
    before["syscr"] += 1
    load.sums["tool-reads"] = length
    os.getpriority(os.PRIO_PROCESS, 0)
    for _ in range(count):
        load.step()
    os.getpriority(os.PRIO_PROCESS, 0)
    after, length = read_io(io)
    load.sums["tool-reads"] += length
    os.mkdir(folder + "/ran")
    wait_for(folder + "/stop")
    sums = load.sums
    with open(folder + "/want", "w") as f:
        for (op, road, name), n in sorted(load.did.items()):
            print("file", op, road, name, load.bytes[op, road, name], n, file=f)
        read, wrote = after["rchar"] - before["rchar"], after["wchar"] - before["wchar"]
        # The kernel counts sendfile() and copy_file_range() as calls and bytes, and splice() not at all.
        print("all readch", read + sums["splice-bytes"], file=f)
        print("all writech", wrote + sums["splice-bytes"], file=f)
        print("all sysread", after["syscr"] - before["syscr"] - sums["copies"], file=f)
        print("all syswrite", after["syscw"] - before["syscw"] - sums["copies"], file=f)
        other = sums["splice-bytes"] + sums["tee-bytes"]
        for tool in ("rwtop", "rwsnoop"):
            print(f"all {tool}-R", read + other + sums["tool-reads"] + sums["other-read-bytes"], file=f)
            print(f"all {tool}-W", wrote + other + sums["vmsplice-bytes"] + sums["other-write-bytes"], file=f)


main()
