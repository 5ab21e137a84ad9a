#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""guide.py DOCUMENT: what a document of docs/ shows is what happens.

Files that it shows (`NAME` in front of a block) are made.  A command is an indented line that begins
with "# "; it goes on until its quotes are closed.  If it has output there, it is run, and the output
has that shape: numbers are any, blanks and bars of any length, "..." any lines; all else is as it is.
If it has none, or begins with "dtrace", it is compiled, for processes that are there (-c ./program).
One that ends with "&" runs until the guide ends; those behind it are tried until it has come so far.
Messages of dtrace itself do not count."""
import os
import re
import signal
import subprocess
import sys
import time


def blocks(text):
    """Indented blocks, each with the paragraph in front of it."""
    before, block = "", []
    for line in text.split("\n") + ["end"]:
        if line.startswith("    ") or (block and not line.strip()):
            block.append(line[4:])
            continue
        if block:
            yield before, block
            before, block = "", []
        before = line if line.strip() else before


def commands(block):
    """Pairs of a command and the lines behind it."""
    found, command = [], None
    for line in block:
        if command is None and re.match("# |dtrace -", line):
            command = line.removeprefix("# ")
        elif command is not None:
            command += "\n" + line
        elif found:
            found[-1][1].append(line)
        if command is not None and command.count("'") % 2 == 0:
            found.append((command, []))
            command = None
    return found


def lines_of(text):
    lines = [line.rstrip() for line in text.split("\n")]
    return [line for line in lines if line and not line.startswith("dtrace: ")]


def pattern(lines):
    def token(match):
        text = match.group()
        if text == "0xN":
            return "0x[0-9a-f]+"
        if text[0].isdigit():
            return "[0-9]+"
        if text.startswith("@@"):
            return "@+"
        return r"\s+" if text.isspace() else re.escape(text)

    out = ""
    for line in lines:
        line = line.strip()
        if line == "...":
            out += r"(?:.*\n)*?"
        else:
            out += r"\s*" + re.sub(r"0xN|[0-9]+|@@+|\s+|.", token, line) + r"\s*?\n"
    return out


def only_compiled(command):
    command = command.replace("dtrace", "dtrace -e -Z", 1).replace("1234", str(os.getpid()))
    return re.sub(r" -c .*", " -c ./program", command)


def run(command, want):
    """What it printed, and whether that is what was wanted."""
    done = subprocess.run(["timeout", "30", "bash", "-c", command], capture_output=True, text=True)
    if not want:
        return done.stdout + done.stderr, done.returncode == 0
    good = done.returncode in (0, 1) and re.fullmatch(pattern(want), "\n".join(lines_of(done.stdout)) + "\n")
    return done.stdout + done.stderr, good


def main():
    background = []
    try:
        follow(background)
    finally:
        for process in background:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait()


def follow(background):
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    for before, block in blocks(text):
        name = re.search(r"`([a-z]+/)?([a-z]+\.(?:d|yml))`:$", before)
        if name:
            path = (name.group(1) or "") + name.group(2)
            subprocess.run(["mkdir", "-p", name.group(1) or "."], check=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write("\n".join(block) + "\n")
            continue
        for command, output in commands(block):
            if command.endswith(" &"):
                background.append(subprocess.Popen(["bash", "-c", "exec " + command[:-2]], start_new_session=True,
                                                   stdout=subprocess.DEVNULL))
                time.sleep(2)
                continue
            want = lines_of("\n".join(output))
            text, good = run(command if want else only_compiled(command), want)
            end = time.monotonic() + (30 if background and want else 0)
            while not good and time.monotonic() < end:
                time.sleep(1)
                text, good = run(command, want)
            print(f"{'ok' if good else 'not ok'} - {command.splitlines()[0][:90]}")
            if not good:
                print("# " + text.replace("\n", "\n# "))


main()
