#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
#
# port.py SOCKET COMMAND [SECONDS]: runs a command in the shell at the other end of a socket, prints its output, and
# ends with its status.  Output left over from earlier commands is skipped.  If the shell ends because the last
# connection closed, it consumes input that was meant for its successor.  So the command is sent only after the
# shell has answered.
import os
import socket
import sys
import time


def lines_of(text):
    return text.decode(errors="replace").splitlines(keepends=True)


def main():
    path, command = sys.argv[1], sys.argv[2]
    deadline = time.monotonic() + (float(sys.argv[3]) if len(sys.argv) > 3 else 60)
    here, begin, end = (f"{word}-{os.getpid()}" for word in ("here", "begin", "end"))
    is_sent = False
    text = b""
    with socket.socket(socket.AF_UNIX) as port:
        port.connect(path)
        while (left := deadline - time.monotonic()) > 0:
            lines = lines_of(text)
            if lines and lines[-1].startswith(end) and lines[-1].endswith("\n"):
                sys.stdout.write("".join(lines[lines.index(begin + "\n") + 1:-1]))
                return int(lines[-1][len(end) + 1:])
            if not is_sent:
                is_sent = here + "\n" in lines
                said = f"echo {begin}; {{ {command}\n}} 2>&1; echo {end}-$?\n" if is_sent else f"echo {here}\n"
                port.sendall(said.encode())
            port.settimeout(left if is_sent else min(left, 1))
            try:
                part = port.recv(65536)
            except TimeoutError:
                continue
            if not part:
                return 125
            text += part
    print("the shell does not answer", file=sys.stderr)
    return 124


sys.exit(main())
