#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""frames.py SYSCALL STOPS DTRACE WRAPPER PROGRAM [ARG...] [<INPUT]

Runs a program under gdb, which stops it at a system call a number of times, and under dtrace, which takes
ustack() there.  Prints the number of frames, the number of equal frames, and then the frames that differ.
WRAPPER starts the program, or is "".  Debug files are not used: for calls that have become jumps, gdb would
show frames that are not on the stack.
"""
import os
import re
import shlex
import subprocess
import sys
import tempfile


def gdb_commands(call, stops, wrapper, args, stdin):
    start = ["set debug-file-directory /nonexistent", "set pagination off", "set confirm off",
             "set print frame-arguments none", "set backtrace past-main on",
             "set args %s >/dev/null 2>&1 <%s" % (shlex.join(args), stdin),
             "catch syscall " + call, "run"]
    if wrapper:
        start.insert(0, "set exec-wrapper " + wrapper)
    stop = ["echo @stack\\n", "bt 100", "echo @maps\\n", "info proc mappings", "echo @end\\n",
            "continue", "continue"]
    return "\n".join(start + stop * stops + ["kill"]) + "\n"


def gdb_stacks(text):
    """Yields frames in the form of dtrace with -x noresolve, "file:0xoffset" in the mapping."""
    for part in text.split("@stack\n")[1:]:
        trace, _, maps = part.partition("@maps\n")
        ranges = []
        for line in maps.split("\n"):
            words = line.split()
            if len(words) >= 6 and words[0].startswith("0x"):
                ranges.append((int(words[0], 16), int(words[1], 16), words[5]))
        frames = []
        for line in trace.split("\n"):
            m = re.match(r"#(\d+) +(?:0x([0-9a-f]+) in )?", line)
            if not m or not ranges:
                continue
            if not m.group(2):
                frames.append("?")  # the innermost has no address
                continue
            pc = int(m.group(2), 16)
            of = [r for r in ranges if r[0] <= pc < r[1] and r[2].startswith("/")]
            frames.append("%s:0x%x" % (os.path.basename(of[0][2]), pc - of[0][0]) if of else None)
        # Beyond the entry of a program gdb takes arguments for frames.
        while frames and not frames[-1]:
            frames.pop()
        if frames:
            yield frames


def dtrace_stacks(text):
    """Returns the stacks of the last process with the name: gdb tries programs before it runs them."""
    stacks = [part.split() for part in text.split("@stack\n")[1:]]
    return [s[1:] for s in stacks if s[0] == stacks[-1][0]]


def main():
    call, stops, dtrace, wrapper, program = sys.argv[1:6]
    directory = tempfile.mkdtemp()
    script, output = directory + "/gdb", directory + "/dtrace"
    stdin = os.readlink("/proc/self/fd/0")
    with open(script, "w") as f:
        f.write(gdb_commands(call, int(stops), wrapper, sys.argv[6:], stdin))
    name = os.path.basename(program)[:15]
    clause = ('syscall::%s:entry /execname == "%s" && progenyof($target)/ '
              '{ printf("@stack\\n%%d\\n", pid); ustack(100); }' % (call, name))
    command = " ".join(["gdb", "-q", "-batch", "-x", script, program])
    run = subprocess.run([dtrace, "-x", "noresolve", "-x", "bufsize=64m", "-qn", clause, "-o", output, "-c", command],
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                         errors="replace", timeout=120)
    with open(output) as f:
        traced = dtrace_stacks(f.read())
    total = equal = 0
    bad = []
    for want, got in zip(gdb_stacks(run.stdout), traced):
        for k in range(max(len(want), len(got))):
            x = want[k] if k < len(want) else "-"
            y = got[k] if k < len(got) else "-"
            total += 1
            if x in (y, "?"):
                equal += 1
            else:
                bad.append("%s %s" % (x, y))
    print(total, equal)
    print("\n".join(bad[:10]))
    if bad or not total:
        print(run.stdout.rpartition("@stack\n")[2][-4000:])


main()
