#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""guide.py DOCUMENT: checks that the commands of a document of docs/ do what the document shows.
guide.py --whole DOCUMENT...: prints commands that trace the whole machine until they are interrupted, each followed
by a NUL.

Files in the document (`NAME` in front of a block) are made.  A command is an indented line that begins with "# ",
"dtrace -" or "dwatch -"; it continues until its quotes are closed.  Each command is run and must succeed.  If the
document shows output, the output must have that shape: any numbers, any length of blanks and bars, any lines for
"..."; the example's own file app.* can have its folder in front; all else is equal.  Some commands do not end, because
they trace a whole machine or a process that does not exist (1234).  Here they are only compiled, because others use the
machine; those that any machine can run are run in a guest (guide-whole.t).  A command that ends with "&" runs until the
guide ends; commands after it are repeated until it has started.  Messages of dtrace itself do not count."""
import os
import re
import signal
import subprocess
import sys
import time


def blocks(text):
    """Yields indented blocks, each with the paragraph in front of it."""
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
    """Returns pairs of a command and the lines that follow it."""
    found, command = [], None
    for line in block:
        if command is None and re.match("# |dtrace -|dwatch -", line):
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
        if text.startswith("app."):
            return r"(?:/\S*/)?" + re.escape(text)
        return r"\s+" if text.isspace() else re.escape(text)

    out = ""
    for line in lines:
        line = line.strip()
        if line == "...":
            out += r"(?:.*\n)*?"
        else:
            out += r"\s*" + re.sub(r"0xN|app\.\w+|[0-9]+|@@+|\s+|.", token, line) + r"\s*?\n"
    return out


# Commands that not every machine can run: functions that the kernel does not let you trace, programs of others, and
# example processes.  --top needs a terminal, and -E targets.
ELSEWHERE = r"fbt:|postgresql|python\*|myapp\*|libssl|1234|--top| -\w*E"


def does_end(command):
    """Returns true if the command ends by itself."""
    if re.search("fbt:", command):
        return False
    return not re.match("dtrace|dwatch", command) or re.search(r" -c |dtrace -(\w*[lehG]\w* |-from)", command)


def is_whole(command):
    """Returns true if the command traces a whole machine and runs on any machine."""
    return not (does_end(command) or re.search("&$|^dwatch", command) or re.search(ELSEWHERE.replace("fbt:|", ""), command))


def only_compiled(command):
    maybe = "-Z " if re.search(ELSEWHERE, command) else ""
    command = command.replace("dwatch", "dwatch -e", 1).replace("dtrace", "dtrace -e " + maybe, 1)
    return command.replace("1234", str(os.getpid()))


def run(command, want):
    """Returns the output, and whether it is the expected one."""
    done = subprocess.run(["timeout", "60", "bash", "-c", command], capture_output=True, text=True)
    if not want:
        return done.stdout + done.stderr, done.returncode == 0
    good = done.returncode in (0, 1) and re.fullmatch(pattern(want), "\n".join(lines_of(done.stdout)) + "\n")
    return done.stdout + done.stderr, good


def main():
    background = []
    if sys.argv[1] == "--whole":
        for name in sys.argv[2:]:
            with open(name, encoding="utf-8") as file:
                for _, block in blocks(file.read()):
                    for command, output in commands(block):
                        if not lines_of("\n".join(output)) and is_whole(command):
                            print(command, end="\0")
        return
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
        name = re.search(r"`([a-z]+/)?([A-Za-z]+\.(?:c|d|yml|js|rb|py|php|pl|java))`:$", before)
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
            if not want and re.search(r"fbt:.*args\[", command):
                continue  # functions that cannot be traced have no arguments, either: guide-whole.t
            is_run = want or does_end(command)
            text, good = run(command if is_run else only_compiled(command), want)
            end = time.monotonic() + (30 if background and want else 0)
            while not good and time.monotonic() < end:
                time.sleep(1)
                text, good = run(command, want)
            print(f"{'ok' if good else 'not ok'} - {'' if is_run else 'compiled: '}{command.splitlines()[0][:90]}")
            if not good:
                print("# " + text.replace("\n", "\n# "))


main()
