# SPDX-License-Identifier: BSD-2-Clause
"""Peers that lie, in the protocol between dtrace and its agents (src/remote/wire.h).

liar.py answer DTRACE OP RESULT [AFTER]   acts as an agent: calls of this kind have this result after AFTER right answers
liar.py flood DTRACE N                    acts as an agent that sends each frame of records N times
liar.py ask DTRACE FILE                   asks an agent for forbidden calls; prints a line for each, with its result
"""
import os
import queue
import struct
import subprocess
import sys
import threading

HEAD = struct.Struct('<IHHII')
MAGIC, HELLO, CALL, RESULT, RECORDS = 0x61725444, 1, 4, 5, 11
MEM = struct.Struct('<IBBbBII')
BPF, PERF_OPEN, PERF_IOCTL, OPEN, CLOSE, READ = range(6)


def read_frame(f):
    head = f.read(HEAD.size)
    if len(head) < HEAD.size:
        return None
    fields = HEAD.unpack(head)
    return fields, f.read(fields[4] + -fields[4] % 8)[:fields[4]]


def write_frame(f, fields, body):
    magic, kind, version, session, _ = fields
    f.write(HEAD.pack(magic, kind, version, session, len(body)) + body + b'\0' * (-len(body) % 8))
    f.flush()


def outputs(body):
    """Returns the memory that a call may write."""
    n = struct.unpack_from('<II', body)[1]
    return sum(m[0] for m in (MEM.unpack_from(body, 40 + i * MEM.size) for i in range(n)) if m[2])


def answer(dtrace, op, result, after='0'):
    agent = subprocess.Popen([dtrace, '--agent'], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    asked = queue.Queue()

    def forward():
        source = os.fdopen(0, 'rb')
        while (frame := read_frame(source)) is not None:
            kind, body = frame[0][1], frame[1]
            if kind == CALL:
                asked.put((struct.unpack_from('<I', body)[0], outputs(body)))
            elif kind in range(6, 11):
                asked.put((-1, 0))
            write_frame(agent.stdin, *frame)
        agent.stdin.close()

    threading.Thread(target=forward, daemon=True).start()
    right = int(after)
    while (frame := read_frame(agent.stdout)) is not None:
        fields, body = frame
        if fields[1] == RESULT:
            kind, size = asked.get()
            if kind == int(op):
                right -= 1
                if right < 0:
                    body = struct.pack('<q', int(result, 0)) + (body[8:] + bytes(size))[:size]
        write_frame(sys.stdout.buffer, fields, body)
    agent.kill()


def flood(dtrace, n):
    agent = subprocess.Popen([dtrace, '--agent'], stdin=0, stdout=subprocess.PIPE)
    while (frame := read_frame(agent.stdout)) is not None:
        # A frame whose time is 0 says that more records follow, so they wait.
        if frame[0][1] == RECORDS and len(frame[1]) > 8:
            for _ in range(int(n)):
                write_frame(sys.stdout.buffer, frame[0], bytes(8) + frame[1][8:])
        write_frame(sys.stdout.buffer, *frame)
    agent.kill()


def ask(dtrace, path):
    agent = subprocess.Popen([dtrace, '--agent'], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def send(kind, body):
        write_frame(agent.stdin, (MAGIC, kind, 1, 77, 0), body)
        while (frame := read_frame(agent.stdout)) is not None:
            if frame[0][1] != RECORDS:
                return frame[1]
        return None

    def call(name, op, args, *mems):
        """mems: bytes that the call reads, or how many bytes it may write; then the argument, or
        -1 and the offset of its address in the first; then whether the call may write what it reads."""
        body = struct.pack('<II4q', op, len(mems), *(list(args) + [0] * (4 - len(args))))
        for what, arg, off, is_out in ((*mem, 0, False)[:4] if len(mem) < 4 else mem for mem in mems):
            is_in = isinstance(what, bytes)
            body += MEM.pack(len(what) if is_in else what, is_in, is_out or not is_in, arg, 0, off, 0)
        body += b''.join(mem[0] for mem in mems if isinstance(mem[0], bytes))
        got = send(CALL, body)
        result = struct.unpack_from('<q', got)[0] if got else None
        print(name, 'ended' if result is None else result, flush=True)
        return result

    machine = {'x86_64': 62, 'aarch64': 183}[os.uname().machine]
    send(HELLO, struct.pack('<HHHH', machine, 0, 0, 0))
    far = b'/proc/self/root' + path.encode() + b'\0'
    call('write', OPEN, [0, os.O_RDWR], (far, 0))
    call('create', OPEN, [0, os.O_RDWR | os.O_CREAT], (b'/proc/self/root' + path.encode() + b'.new\0', 0))
    call('truncate', OPEN, [0, os.O_TRUNC], (far, 0))
    call('text', OPEN, [0, 0], (b'/proc/%d/root' % os.getpid() + path.encode() + b'\0', 0))
    call('fifo', OPEN, [0, 0], (b'/proc/%d/root' % os.getpid() + path.encode() + b'.fifo\0', 0))
    call('kmsg', OPEN, [0, 0], (b'/proc/kmsg\0', 0))
    call('pipe', OPEN, [0, 0], (b'/sys/kernel/tracing/trace_pipe\0', 0))
    call('fd', OPEN, [0, 0], (b'/proc/%d/fd/0\0' % os.getpid(), 0))
    call('self', OPEN, [0, 0], (b'/proc/self/maps\0', 0))
    fd = call('maps', OPEN, [0, 0], (b'/proc/%d/maps\0' % os.getpid(), 0))
    # FS_IOC_SETFLAGS, which can make a file immutable; BPF_OBJ_PIN.
    call('ioctl', PERF_IOCTL, [fd, 0x40086602, 0])
    call('pin', BPF, [6, 0, 120], (bytes(120), 1))
    # A hash with values of 64 bytes: BPF_MAP_CREATE, BPF_MAP_LOOKUP_ELEM.
    table = call('map', BPF, [0, 0, 120], (struct.pack('<IIII', 1, 8, 64, 4).ljust(120, b'\0'), 1))
    key = (bytes(8), -1, 8)
    lookup = struct.pack('<IIQQQ', table, 0, 0, 0, 0)
    call('lookup', BPF, [1, 0, 32], (lookup, 1), key, (64, -1, 16))
    call('small', BPF, [1, 0, 32], (lookup, 1), key, (63, -1, 16))
    call('made-up', BPF, [1, 0, 32], (struct.pack('<IIQQQ', table, 0, 0, 0x400000, 0), 1), key)
    # BPF_OBJ_GET_INFO_BY_FD of the map, with bytes that could be an address in the request.
    call('info', BPF, [15, 0, 16], (struct.pack('<IIQ', table, 80, 0), 1), (bytes([1] * 80), -1, 8, True))
    # BPF_PROG_LOAD with an array of descriptors, and with attributes newer than this test.
    call('array', BPF, [5, 0, 144], (struct.pack('<II', 17, 2).ljust(120, b'\0') + struct.pack('<QQQ', 0x400000, 0, 0), 1))
    call('later', BPF, [5, 0, 256], (struct.pack('<II', 17, 2).ljust(255, b'\0') + b'\1', 1))
    call('twice', READ, [fd, 0, 4096], (4096, 1), (8, 1))
    agent.kill()


globals()[sys.argv[1]](*sys.argv[2:])
