#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
#
# processes.py FOLDER: compares FOLDER/out of dtrace with FOLDER/want of the load, and with FOLDER/acct of the kernel.
# Prints rows for report_table.
import collections
import struct
import sys

RECORD = 64


def read(path):
    counts = collections.Counter()
    with open(path) as f:
        for line in f:
            *key, n = line.split() or [""]
            if key:
                counts[tuple(key)] += int(n)
    return counts


def read_acct(path):
    """The reason of each exit, from records of version 3 (acct(5))."""
    exits = collections.Counter()
    with open(path, "rb") as f:
        data = f.read()
    for at in range(0, len(data) - RECORD + 1, RECORD):
        version, status, number = struct.unpack_from("<xBxxIxxxxxxxxI", data, at)
        # Process 1 ends when counting has ended.
        if version & 15 == 3 and number != 1:
            exits["exit", str(number), "3" if status & 0x80 else "2" if status & 0x7F else "1"] += 1
    return exits


def main():
    folder = sys.argv[1]
    got, want = read(folder + "/out"), read(folder + "/want")
    for key in sorted(got.keys() | want.keys()):
        print("same" if got[key] == want[key] else "differs", key[0], ":".join(key[1:]), got[key], want[key])
    acct = read_acct(folder + "/acct")
    for key in sorted({key for key in got if key[0] == "exit"} | acct.keys()):
        print("same" if got[key] == acct[key] else "differs", "exit-acct", ":".join(key[1:]), got[key], acct[key])


main()
