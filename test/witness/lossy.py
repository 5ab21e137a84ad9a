#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
#
# lossy.py CLIENT SERVER SEED CONTROL LOG: a network that loses packets, between the devices cr and sr of two namespaces.
#
# The devices are tunnels (TUN), so this program is the wire: it drops, doubles, delays, reorders and damages packets as SEED
# chooses.  A line "cut PORT" in the pipe CONTROL drops all segments of that port from then on.  LOG gets a line for each
# packet that leaves a namespace, and a line for each that enters one, in their order.
import ctypes
import fcntl
import heapq
import os
import random
import select
import signal
import socket
import struct
import sys
import time

CLONE_NEWNET = 0x40000000
TUNSETIFF = 0x400454CA
IFF_TUN_NO_PI = 0x1001
# RATE is the part of these rates that is in force.
DROP, DOUBLE, DELAY, DAMAGE = (float(os.environ.get("RATE", 1)) * rate for rate in (0.05, 0.03, 0.15, 0.01))
libc = ctypes.CDLL(None, use_errno=True)


def tunnel(namespace, device):
    with open("/run/netns/" + namespace) as ns:
        if libc.setns(ns.fileno(), CLONE_NEWNET) != 0:
            raise OSError(ctypes.get_errno(), "setns")
    fd = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(fd, TUNSETIFF, struct.pack("16sH22s", device.encode(), IFF_TUN_NO_PI, b""))
    return fd


def segment(packet):
    """Returns the members of a TCP segment that LOG has, or None: addresses, ports, header, data bytes, time stamps."""
    if packet[0] >> 4 == 4:
        family, at, proto, length = socket.AF_INET, (packet[0] & 15) * 4, packet[9], struct.unpack("!H", packet[2:4])[0]
        src, dst = packet[12:16], packet[16:20]
    else:
        family, at, proto, length = socket.AF_INET6, 40, packet[6], 40 + struct.unpack("!H", packet[4:6])[0]
        src, dst = packet[8:24], packet[24:40]
    if proto != 6:
        return None
    sport, dport, seq, ack, off, flags, window, check, _ = struct.unpack("!HHIIBBHHH", packet[at:at + 20])
    options, stamp = packet[at + 20:at + (off >> 4) * 4], (0, 0)
    while options and options[0]:
        size = 1 if options[0] == 1 else options[1]
        if options[0] == 8:
            stamp = struct.unpack("!II", options[2:10])
        options = options[size:]
    return (socket.inet_ntop(family, src), sport, socket.inet_ntop(family, dst), dport, seq, ack, flags, window, check,
            length - at - (off >> 4) * 4, *stamp)


def main():
    client, server, seed, control, path = sys.argv[1:]
    rng = random.Random(int(seed))
    fds = {"c": tunnel(client, "cr"), "s": tunnel(server, "sr")}
    orders = os.open(control, os.O_RDWR | os.O_NONBLOCK)
    log = open(path, "w")
    cut, queue, is_over, n = set(), [], [], 0
    signal.signal(signal.SIGTERM, lambda *_: is_over.append(True))
    print("ready", flush=True)
    while not is_over:
        ready = select.select([orders, *fds.values()], [], [], max(0, queue[0][0] - time.monotonic()) if queue else 0.5)[0]
        if orders in ready:
            cut |= set(os.read(orders, 4096).decode().split()) - {"cut"}
        for side, other in (("c", "s"), ("s", "c")):
            for _ in range(64 if fds[side] in ready else 0):
                try:
                    packet = os.read(fds[side], 65536)
                except BlockingIOError:
                    break
                found = segment(packet)
                if found is None:
                    heapq.heappush(queue, (time.monotonic(), n, other, packet, None, False))
                    n += 1
                    continue
                print("out", side, time.monotonic_ns(), *found, file=log)
                # The numbers come in the same order, whatever becomes of the packet.
                drop, double, delay, damage = (rng.random() for _ in range(4))
                late = rng.random() * 0.03
                if drop < DROP or str(found[1]) in cut or str(found[3]) in cut or found[2][-3:] == ".99" or found[2][-4:] == "::99":
                    continue
                is_bad = damage < DAMAGE and found[9] > 0
                if is_bad:
                    packet = packet[:-1] + bytes([packet[-1] ^ 0x5A])
                for copy in range(2 if double < DOUBLE else 1):
                    n += 1
                    when = time.monotonic() + (late if delay < DELAY or copy else 0)
                    heapq.heappush(queue, (when, n, other, packet, found, is_bad))
        while queue and queue[0][0] <= time.monotonic():
            _, _, side, packet, found, is_bad = heapq.heappop(queue)
            if found:
                print("in-bad" if is_bad else "in", side, time.monotonic_ns(), *found, file=log)
            os.write(fds[side], packet)
    log.close()


main()
