#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""args-check.py DTRACE SCRIPT PROGRAM: compares the output of a program of args-gen.py with dtrace's values.

Clauses are left out if dtrace refuses their arguments because it does not know where they are.  Prints
"SHOWN shown, REFUSED refused, FAULTS faults, WRONG wrong", and the lines that are wrong."""
import os
import re
import subprocess
import sys

REFUSED = r"args\[\d+\] cannot be read|is not known|failed to find function|index \d+ is out of range for args|unstable set"


def main():
    dtrace, script, program = sys.argv[1:]
    printed = subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines()
    with open(script, encoding="ascii") as f:
        clauses = f.read().splitlines()
    refused = set()
    while True:
        with open(script + ".now", "w", encoding="ascii") as f:
            f.write("\n".join("" if i in refused else c for i, c in enumerate(clauses)) + "\n")
        command = [dtrace, "-q", "-x", "switchrate=10hz", "-b", "16m", "-o", script + ".out", "-s", script + ".now", "-c", program]
        if os.path.exists(script + ".out"):
            os.remove(script + ".out")
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        errors = re.findall(r"^dtrace: failed to compile script .*?line (\d+): (.*)$|^ *(?:dtrace: )?.*?line (\d+): (.*)$",
                            done.stderr, re.M)
        lines = {int(a or c) - 1 for a, b, c, d in errors if re.search(REFUSED, b or d)}
        if done.returncode == 0 or not lines - refused:
            break
        refused |= lines
    if done.returncode:
        print(done.stderr)
        sys.exit(1)
    want = dict(split(line) for line in printed)
    with open(script + ".out", encoding="ascii") as f:
        got = [split(line) for line in f.read().splitlines() if line]
    wrong = [(key, values, want[key]) for key, values in got if values != want[key]]
    for key, values, own in wrong:
        print("wrong:", *key, "shown", *values, "is", *own)
    faults = len(re.findall("error on enabled probe", done.stderr))
    if len(set(key for key, _ in got)) + len(refused) + faults < len(clauses):
        wrong.append("missing")
    print(f"{len(got)} shown, {len(refused)} refused, {faults} faults, {len(wrong)} wrong")


def split(line):
    function, what, *values = line.split()
    return (function, what), values


main()
