# SPDX-License-Identifier: BSD-2-Clause
"""inside.py LINE REST: a shell at a terminal, as people have it, adds REST to LINE when Tab is pressed."""
import os, pty, re, select, signal, sys, time

line, rest = sys.argv[1:]
pid, terminal = pty.fork()
if pid == 0:
    os.environ.update(PS1="ready> ", TERM="dumb", HISTFILE="")
    os.execv("/bin/bash", ["bash", "--norc", "--noprofile", "-i"])

seen = ""


def wait_for(pattern):
    """Reads until the text since the last call matches the pattern, and fails after a minute without a match."""
    global seen
    end = time.monotonic() + 60
    while not (found := re.search(pattern, seen)):
        if not select.select([terminal], [], [], max(0, end - time.monotonic()))[0]:
            sys.exit(f"no {pattern} in: {seen!r}")
        seen += os.read(terminal, 4096).decode(errors="replace")
    seen = seen[found.end():]


def type_in(text):
    os.write(terminal, text.encode())


wait_for("ready> ")
type_in(". /usr/share/bash-completion/bash_completion; echo loa''ded\n")
wait_for("loaded\r?\n")
wait_for("ready> ")
type_in(line)
wait_for(re.escape(line))
type_in("\t")
wait_for(re.escape(rest))
os.kill(pid, signal.SIGKILL)
