#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
#
# peer.py KIND SEED: a peer of the protocol of src/remote/wire.h that does not keep to it: its output goes to dtrace.
#
# half: a part of a frame; silent: nothing; flood: answers that nobody asked for; noise: random bytes; huge: frames of
# impossible sizes; welcome: a good first answer, and then noise.
import os
import random
import struct
import sys

HEAD = struct.Struct('<IHHII')
MAGIC, WELCOME, RESULT = 0x61725444, 2, 5


def frame(kind, body, session=1, size=None):
    return HEAD.pack(MAGIC, kind, 1, session, len(body) if size is None else size) + body + b'\0' * (-len(body) % 8)


def output(kind, rnd):
    if kind == 'half':
        yield frame(WELCOME, rnd.randbytes(32))[:rnd.randrange(1, 40)]
    elif kind == 'noise':
        yield rnd.randbytes(rnd.randrange(1, 100000))
    elif kind == 'huge':
        yield frame(rnd.randrange(16), b'', rnd.randrange(3), rnd.choice([0xffffffff, 0x7fffffff, 0x10000000, 0xfffffff8]))
        yield rnd.randbytes(4096)
    elif kind in ('flood', 'welcome'):
        yield frame(WELCOME, rnd.randbytes(rnd.choice([8, 16, 64, 256])))
        for _ in range(20000):
            yield frame(RESULT if kind == 'flood' else rnd.randrange(16), rnd.randbytes(rnd.randrange(64)), rnd.randrange(3))


try:
    for data in output(sys.argv[1], random.Random(int(sys.argv[2]))):
        os.write(1, data)
    # A silent peer keeps its connection until dtrace ends it.
    while os.read(0, 4096):
        pass
except OSError:
    pass
