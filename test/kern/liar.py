# SPDX-License-Identifier: BSD-2-Clause
"""Peers that lie, in the protocol between dtrace and its agents (src/target/wire.h).

liar.py answer DTRACE OP RESULT [AFTER]   is an agent whose calls of this kind have this result, after so many that are right
liar.py ask DTRACE FILE                   asks an agent for what it must not do; a line for each, with its result
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
    """Bytes that a call may write."""
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


def ask(dtrace, path):
    agent = subprocess.Popen([dtrace, '--agent'], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def send(kind, body):
        write_frame(agent.stdin, (MAGIC, kind, 1, 77, 0), body)
        while (frame := read_frame(agent.stdout)) is not None:
            if frame[0][1] != RECORDS:
                return frame[1]
        return None

    def call(name, op, args, *mems):
        """mems: what the call reads, or how many bytes it may write, and the argument."""
        body = struct.pack('<II4q', op, len(mems), *(list(args) + [0] * (4 - len(args))))
        for what, arg in mems:
            is_in = isinstance(what, bytes)
            body += MEM.pack(len(what) if is_in else what, is_in, not is_in, arg, 0, 0, 0)
        body += b''.join(what for what, _ in mems if isinstance(what, bytes))
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
    fd = call('read', OPEN, [0, 0], (far, 0))
    # FS_IOC_SETFLAGS, which makes a file immutable; BPF_OBJ_PIN.
    call('ioctl', PERF_IOCTL, [fd, 0x40086602, 0])
    call('pin', BPF, [6, 0, 120], (bytes(120), 1))
    call('twice', READ, [fd, 0, 4096], (4096, 1), (8, 1))
    agent.kill()


globals()[sys.argv[1]](*sys.argv[2:])
