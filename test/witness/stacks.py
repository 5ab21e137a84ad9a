#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
#
# stacks.py CHAINS OUT NAME: compares the stacks of dtrace in OUT with the chains of the program, for report_table.
#
# Functions of other files, such as the C library, and of tail calls (t*) are left out on both sides.
import re
import sys

OURS = re.compile(r"`(f\d+|leaf|seven|handler|thread|begin|main)(?:\+0x[0-9a-f]+)?$")


def main():
    want, got = {}, {}
    with open(sys.argv[1]) as f:
        for line in f:
            words = line.split()
            if words and words[0].isdigit():
                want[words[0]] = words[1:]
    with open(sys.argv[2]) as f:
        stack = []
        for line in f:
            words = line.split()
            if words[:1] == ["STOP"]:
                stack = got.setdefault((words[1], words[2]), [])
            match = OURS.search(line.rstrip())
            if match:
                stack.append(match[1])
    for kind in ("syscall", "pid"):
        for stop, chain in want.items():
            frames = got.get((kind, stop), [])
            where = f"{sys.argv[3]}:{kind}:{stop}"
            print("same" if frames == chain else "differs", "frames", where, ",".join(frames) or "-", ",".join(chain))
            for i, name in enumerate(chain):
                frame = frames[i] if i < len(frames) else "-"
                print("same" if frame == name else "differs", "frame", where + f":{i}", frame, name)


main()
