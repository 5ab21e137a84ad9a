#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
#
# mutate.py FILE SEED: prints the file, a saved run, with a few random changes.
import random
import re
import sys

HUGE = [b'0', b'-1', b'1e999', b'9223372036854775807', b'18446744073709551616', b'-9223372036854775808', b'0.0000001',
        b'1e-400', b'9' * 400]
WORDS = [b'"</script><script>alert(7)</script>"', b'"<img src=x onerror=alert(7)>"', b'null', b'true', b'[]', b'{}', b'""',
         b'"\\ud800"', b'"\\u0000"', b'"' + b'A' * 100000 + b'"']


def bits(rnd, data):
    data = bytearray(data)
    for _ in range(rnd.randrange(1, 8)):
        data[rnd.randrange(len(data))] ^= 1 << rnd.randrange(8)
    return bytes(data)


def cut(rnd, data):
    lines = data.splitlines(True)
    i = rnd.randrange(len(lines))
    lines[i] = lines[i][:rnd.randrange(len(lines[i]))] + rnd.choice([b'', b'\n'])
    return b''.join(lines)


def lines(rnd, data):
    kept = data.splitlines(True)
    rnd.shuffle(kept)
    return b''.join(kept[:rnd.randrange(1, len(kept) + 1)] * rnd.choice([1, 1, 3, 200]))


def replace(rnd, data, pattern, words):
    found = list(re.finditer(pattern, data))
    for m in sorted(rnd.sample(found, min(len(found), rnd.randrange(1, 5))), key=lambda m: -m.start()):
        data = data[:m.start()] + rnd.choice(words) + data[m.end():]
    return data


def nested(rnd, data):
    n = rnd.choice([50, 1000, 100000, 1000000])
    what = rnd.choice([b'[' * n, b'[' * n + b']' * n, b'{"a":' * n + b'1' + b'}' * n])
    return replace(rnd, data, rb'"keys": ?\[|"count":\d+|"output": ?\[', [b'"keys": [' + what, b'"count":' + what, b'"output": [' + what])


def mutate(rnd, data):
    for _ in range(rnd.randrange(1, 4)):
        if not data:
            break
        data = rnd.choice([bits, cut, lines, nested,
                           lambda r, d: replace(r, d, rb'-?\d+', HUGE),
                           lambda r, d: replace(r, d, rb'"[^"]*"', WORDS)])(rnd, data)
    return data


with open(sys.argv[1], 'rb') as f:
    sys.stdout.buffer.write(mutate(random.Random(int(sys.argv[2])), f.read()))
