#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
#
# left.py orphans: prints BPF programs with the name of ours that no process holds, one "program ID" a line.
# left.py code PID FILE: prints the mappings of FILE in the process whose code differs from the file.
import ctypes
import glob
import os
import re
import struct
import sys

PROG_GET_NEXT_ID, PROG_GET_FD_BY_ID, OBJ_GET_INFO_BY_FD = 11, 13, 15
CALL = {'x86_64': 321, 'aarch64': 280}[os.uname().machine]
libc = ctypes.CDLL(None)


def bpf(command, attr, size):
    return libc.syscall(CALL, command, attr, size)


def programs():
    """Returns the ids of all programs whose name is "dtrace"."""
    found, last = [], 0
    while True:
        attr = ctypes.create_string_buffer(struct.pack('<III', last, 0, 0), 16)
        if bpf(PROG_GET_NEXT_ID, attr, 12) < 0:
            return found
        last = struct.unpack_from('<I', attr.raw, 4)[0]
        fd = bpf(PROG_GET_FD_BY_ID, ctypes.create_string_buffer(struct.pack('<III', last, 0, 0), 16), 12)
        if fd < 0:
            continue
        info = ctypes.create_string_buffer(256)
        attr = ctypes.create_string_buffer(struct.pack('<IIQ', fd, 256, ctypes.addressof(info)), 16)
        # struct bpf_prog_info: the name has 16 bytes.
        if bpf(OBJ_GET_INFO_BY_FD, attr, 16) == 0 and info.raw[64:80].rstrip(b'\0') == b'dtrace':
            found.append(last)
        os.close(fd)


def held():
    """Returns the ids of programs that descriptors hold, themselves or through a link."""
    ids = set()
    for path in glob.glob('/proc/[0-9]*/fdinfo/*'):
        try:
            with open(path) as f:
                ids.update(int(n) for n in re.findall(r'prog_id:\t(\d+)', f.read()))
        except OSError:
            pass
    return ids


def orphans():
    before = programs()
    now = held()
    # A program that was loaded or ended meanwhile is no orphan.
    for prog in set(before) & set(programs()) - now:
        print('program', prog)


def code(pid, path):
    for line in open(f'/proc/{pid}/maps'):
        fields = line.split(None, 5)
        if 'x' not in fields[1] or len(fields) < 6 or fields[5].rstrip('\n') != path:
            continue
        start, end = (int(n, 16) for n in fields[0].split('-'))
        with open(f'/proc/{pid}/mem', 'rb', 0) as mem, open(path, 'rb') as f:
            mem.seek(start)
            f.seek(int(fields[2], 16))
            want = f.read(end - start)
            if mem.read(len(want)) != want:
                print('code', fields[0])


if sys.argv[1] == 'orphans':
    orphans()
else:
    code(sys.argv[2], sys.argv[3])
