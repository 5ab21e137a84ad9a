#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
#
# port.py SOCKET COMMAND [SECONDS]: has a shell at the other end of a socket run the command, prints what it
# prints, and ends with its status.  What commands before it have left to be said is passed over.
import os
import socket
import sys


def main():
    path, command = sys.argv[1], sys.argv[2]
    seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 60
    begin, end = f"begin-{os.getpid()}\n", f"end-{os.getpid()}-"
    with socket.socket(socket.AF_UNIX) as port:
        port.settimeout(seconds)
        port.connect(path)
        port.sendall(f"echo {begin.strip()}; {{ {command}\n}} 2>&1; echo {end}$?\n".encode())
        text = b""
        while True:
            lines = text.decode(errors="replace").splitlines(keepends=True)
            if lines and lines[-1].startswith(end) and lines[-1].endswith("\n"):
                sys.stdout.write("".join(lines[lines.index(begin) + 1:-1]))
                return int(lines[-1][len(end):])
            part = port.recv(65536)
            if not part:
                return 125
            text += part


sys.exit(main())
