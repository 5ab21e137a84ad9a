#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
#
# load_net.py CLIENT ROUTER SERVER SEED COUNT: random network traffic between three namespaces.
#
# The names are network namespaces that lib.sh made.  Each of COUNT steps is chosen by SEED among the functions named
# step_*.  A step leaves no socket open.  All packets stay between the namespaces.
import collections
import ctypes
import errno
import fcntl
import os
import random
import select
import socket
import struct
import sys
import time

libc = ctypes.CDLL(None, use_errno=True)
CLONE_NEWNET = 0x40000000
SO_BINDTODEVICE = 25
UDP_SEGMENT = 103
SOL_UDP = 17
IPV6_HDRINCL = 36
PORT = 7000         # the servers of all kinds
CLOSED = 7999       # no socket has this port
NET4, NET6 = f"10.{os.environ['NET']}.", f"fd{os.environ['NET']}:"
ETH = {4: 0x0800, 6: 0x86DD}
ARPHRD_ETHER = 1
UDPLITE, SCTP = 136, 132


def enter(name):
    with open("/run/netns/" + name) as ns:
        if libc.setns(ns.fileno(), CLONE_NEWNET) != 0:
            raise OSError(ctypes.get_errno(), "setns")


def checksum(data):
    if len(data) % 2:
        data += b"\0"
    total = sum(struct.unpack(f"!{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def pseudo(version, src, dst, proto, length):
    family = socket.AF_INET if version == 4 else socket.AF_INET6
    head = socket.inet_pton(family, src) + socket.inet_pton(family, dst)
    if version == 4:
        return head + struct.pack("!BBH", 0, proto, length)
    return head + struct.pack("!IBBBB", length, 0, 0, 0, proto)


def transport_sum(version, src, dst, proto, data, wrong=False):
    value = checksum(pseudo(version, src, dst, proto, len(data)) + data) or 0xFFFF
    return value ^ 0x5A5A if wrong else value


def udp(version, src, dst, sport, dport, data, wrong=False, length=None):
    head = struct.pack("!HHHH", sport, dport, 8 + len(data) if length is None else length, 0)
    value = transport_sum(version, src, dst, 17, head + data, wrong)
    return head[:6] + struct.pack("!H", value) + data


def tcp(version, src, dst, sport, dport, flags, seq=1000, ack=0, data=b"", wrong=False, offset=5):
    head = struct.pack("!HHIIBBHHH", sport, dport, seq, ack, offset << 4, flags, 1024, 0, 0)
    value = transport_sum(version, src, dst, 6, head + data, wrong)
    return head[:16] + struct.pack("!HH", value, 0) + data


def icmp(version, src, dst, kind, code, data, wrong=False):
    head = struct.pack("!BBH", kind, code, 0)
    if version == 4:
        value = checksum(head + data) ^ (0x5A5A if wrong else 0)
    else:
        value = transport_sum(6, src, dst, 58, head + data, wrong)
    return head[:2] + struct.pack("!H", value) + data


def ip4(src, dst, proto, data, ttl=64, ident=1, frag=0, options=b"", wrong=False, length=None, claim=4):
    ihl = 5 + len(options) // 4
    total = ihl * 4 + len(data) if length is None else length
    head = struct.pack("!BBHHHBBH4s4s", claim << 4 | ihl, 0, total, ident, frag, ttl, proto, 0,
                       socket.inet_aton(src), socket.inet_aton(dst)) + options
    value = checksum(head) ^ (0x5A5A if wrong else 0)
    return head[:10] + struct.pack("!H", value) + head[12:] + data


def ip6(src, dst, proto, data, hops=64, length=None, claim=6):
    return struct.pack("!IHBB16s16s", claim << 28, len(data) if length is None else length, proto, hops,
                       socket.inet_pton(socket.AF_INET6, src), socket.inet_pton(socket.AF_INET6, dst)) + data


class Net:
    """The three namespaces: c - r - s.  Sockets are made in the namespace that the caller names."""

    def __init__(self, names, rng):
        self.counts = collections.Counter()
        self.names = dict(zip("crs", names))
        self.rng = rng
        self.addr = {"c": {4: NET4 + "1.1", 6: NET6 + "1::1"}, "r": {4: NET4 + "1.254", 6: NET6 + "1::fe"},
                     "s": {4: os.environ.get("SERVER4") or NET4 + "2.2", 6: os.environ.get("SERVER6") or NET6 + "2::2"}}
        six = os.environ.get("DEVICE6", "")
        self.device = {"cr": {4: "cr", 6: "cr" + six}, "rc": {4: "rc", 6: "rc" + six}}
        self.mac, self.kind = {}, {}
        for side, name in (("c", "cr"), ("r", "rc")):
            enter(self.names[side])
            for device in self.device[name].values():
                # SIOCGIFHWADDR, netdevice(7): /sys shows the devices of another namespace.
                with socket.socket() as s:
                    answer = fcntl.ioctl(s, 0x8927, struct.pack("40s", device.encode()))
                self.kind[device], self.mac[device] = struct.unpack("H6s", answer[16:24])

    def socket(self, side, family, kind, proto=0):
        enter(self.names[side])
        s = socket.socket(family, kind, proto)
        s.settimeout(1)
        return s

    def inet(self, side, version, kind, proto=0):
        return self.socket(side, socket.AF_INET if version == 4 else socket.AF_INET6, kind, proto)

    def server(self, version, kind, dual=False, side="s", backlog=16):
        s = self.socket(side, socket.AF_INET6 if version == 6 or dual else socket.AF_INET, kind)
        s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if s.family == socket.AF_INET6:
            s.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0 if dual else 1)
        s.bind(("::" if s.family == socket.AF_INET6 else "0.0.0.0", 0))
        if kind == socket.SOCK_STREAM:
            s.listen(backlog)
        return s

    def target(self, client, version, side="s"):
        """The address of a side, mapped if the client's socket is of IPv6 and the version is 4."""
        text = self.addr[side][version]
        return "::ffff:" + text if client.family == socket.AF_INET6 and version == 4 else text

    def frame(self, side, data, version, bad_type=False):
        """Sends a frame by a packet socket from the client to the router, or the other way round."""
        device, peer = (self.device[name][version] for name in {"c": ("cr", "rc"), "r": ("rc", "cr")}[side])
        proto = 0x88B5 if bad_type else ETH[version]
        if self.kind[device] == ARPHRD_ETHER:
            s = self.socket(side, socket.AF_PACKET, socket.SOCK_RAW)
            s.bind((device, 0))
            s.send(self.mac[peer] + self.mac[device] + struct.pack("!H", proto) + data)
        else:
            s = self.socket(side, socket.AF_PACKET, socket.SOCK_DGRAM)
            s.sendto(data, (device, proto))
        s.close()


def version_of(net):
    return net.rng.choice((4, 6))


# ---- TCP


def opened(net, version, dual, client_dual, side="c"):
    """Returns a listener and the two ends of a connection."""
    listener = net.server(version, socket.SOCK_STREAM, dual)
    client = net.socket(side, socket.AF_INET6 if version == 6 or client_dual else socket.AF_INET, socket.SOCK_STREAM)
    client.connect((net.target(client, version), listener.getsockname()[1]))
    end, _ = listener.accept()
    end.settimeout(1)
    net.counts["connect-established"] += 1
    net.counts["accept-established"] += 1
    return listener, client, end


def drain(s):
    try:
        while s.recv(65536):
            pass
    except OSError:
        pass


def step_tcp(net):
    version = version_of(net)
    rng = net.rng
    listener, client, end = opened(net, version, rng.random() < 0.5, rng.random() < 0.5)
    for _ in range(rng.randrange(4)):
        a, b = rng.choice(((client, end), (end, client)))
        data = rng.randbytes(rng.choice((1, 100, 1448, 1449, 9000, 100000)))
        a.setblocking(False)
        sent = 0
        while sent < len(data):
            try:
                sent += a.send(data[sent:])
            except BlockingIOError:
                pass
            while select.select([b], [], [], 0.01)[0] and b.recv(65536):
                pass
        a.settimeout(1)
        got = True
        while got and select.select([b], [], [], 0.02)[0]:
            got = b.recv(65536)
    how = rng.choice(("client", "server", "both", "linger", "linger-server", "unread", "half"))
    if how == "linger" or how == "linger-server":
        one = client if how == "linger" else end
        one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        one.close()
        time.sleep(0.01)
    elif how == "unread":
        client.send(b"nobody reads this")
        time.sleep(0.01)
        end.close()
        time.sleep(0.01)
    elif how == "half":
        client.shutdown(socket.SHUT_WR)
        drain(end)
        end.send(b"last")
        end.close()
        drain(client)
    for one in ((client, end) if how != "server" else (end, client)):
        one.close()
        time.sleep(0.01)
    listener.close()


def step_tcp_refused(net):
    version = version_of(net)
    client = net.inet("c", version, socket.SOCK_STREAM)
    try:
        client.connect((net.addr["s"][version], CLOSED))
    except ConnectionRefusedError:
        net.counts["connect-refused"] += 1
        net.counts["accept-refused"] += 1
    client.close()


def step_tcp_gives_up(net):
    """The address exists on no machine: the program closes a socket that is connecting."""
    version = version_of(net)
    client = net.inet("c", version, socket.SOCK_STREAM)
    client.setblocking(False)
    try:
        client.connect((NET4 + "1.99" if version == 4 else NET6 + "1::99", PORT))
    except OSError:
        pass
    time.sleep(0.05)
    client.close()


def step_tcp_simultaneous(net):
    """Both ends connect: their SYNs cross."""
    version = version_of(net)
    rng = net.rng
    a, b = net.inet("c", version, socket.SOCK_STREAM), net.inet("s", version, socket.SOCK_STREAM)
    a.bind((net.addr["c"][version], rng.randrange(20000, 30000)))
    # A translated address is none of the server's own.
    b.bind((NET4 + "2.2" if version == 4 else NET6 + "2::2", rng.randrange(20000, 30000)))
    for s in (a, b):
        s.setblocking(False)
    for s, to in ((a, b), (b, a)):
        try:
            s.connect(to.getsockname()[:2])
        except OSError:
            pass
    time.sleep(0.05)
    for s in (a, b):
        s.close()
    time.sleep(0.02)


def step_tcp_reset_by_peer(net):
    """The listener is closed with a connection that nobody has accepted."""
    version = version_of(net)
    listener = net.server(version, socket.SOCK_STREAM)
    client = net.inet("c", version, socket.SOCK_STREAM)
    client.connect((net.addr["s"][version], listener.getsockname()[1]))
    net.counts["connect-established"] += 1
    net.counts["accept-established"] += 1
    time.sleep(0.01)
    listener.close()
    time.sleep(0.01)
    client.close()


def step_tcp_overflow(net):
    """More connections than the listener's queue takes."""
    version = version_of(net)
    listener = net.server(version, socket.SOCK_STREAM, backlog=1)
    clients = []
    for _ in range(4):
        s = net.inet("c", version, socket.SOCK_STREAM)
        s.setblocking(False)
        try:
            s.connect((net.addr["s"][version], listener.getsockname()[1]))
        except OSError:
            pass
        clients.append(s)
        time.sleep(0.01)
    for s in clients:
        s.close()
    time.sleep(0.01)
    listener.close()


def raw_out(net, side, version, packet):
    """Sends a whole IP packet from a raw socket."""
    s = net.inet(side, version, socket.SOCK_RAW, socket.IPPROTO_RAW)
    if version == 6:
        s.setsockopt(socket.IPPROTO_IPV6, IPV6_HDRINCL, 1)
    dst = packet[16:20] if version == 4 else packet[24:40]
    family = socket.AF_INET if version == 4 else socket.AF_INET6
    try:
        s.sendto(packet, (socket.inet_ntop(family, dst), 0))
    except OSError:
        pass
    s.close()


def send_crafted(net, version, packet):
    if net.rng.random() < 0.5:
        net.frame("c", packet, version)
    else:
        raw_out(net, "c", version, packet)


def pack(net, version, proto, data, **options):
    src, dst = net.addr["c"][version], net.addr["s"][version]
    if version == 4:
        return ip4(src, dst, proto, data, ident=net.rng.randrange(65536), **options)
    options.pop("options", None)
    if "ttl" in options:
        options["hops"] = options.pop("ttl")
    return ip6(src, dst, proto, data, **options)


def step_tcp_crafted(net):
    """Segments without a connection, with and without a listener, right and wrong checksums."""
    version = version_of(net)
    rng = net.rng
    src, dst = net.addr["c"][version], net.addr["s"][version]
    listener = net.server(version, socket.SOCK_STREAM, rng.random() < 0.5) if rng.random() < 0.5 else None
    port = listener.getsockname()[1] if listener else CLOSED
    for _ in range(rng.randrange(1, 5)):
        flags = rng.choice((0, 1, 2, 2, 4, 16, 17, 18, 20, 24, 41, 63))
        segment = tcp(version, src, dst, rng.randrange(30000, 40000), port, flags, rng.randrange(1 << 32),
                      rng.randrange(1 << 32), rng.randbytes(rng.choice((0, 0, 1, 500))), rng.random() < 0.3,
                      rng.choice((5, 5, 5, 5, 4, 15)))
        send_crafted(net, version, pack(net, version, 6, segment))
    time.sleep(0.02)
    if listener:
        listener.close()


def step_tcp_into_connection(net):
    """Segments into an existing connection: old, new, outside of the window, wrong checksums."""
    version = version_of(net)
    rng = net.rng
    listener, client, end = opened(net, version, False, False)
    src, dst = net.addr["c"][version], net.addr["s"][version]
    for _ in range(rng.randrange(1, 4)):
        segment = tcp(version, src, dst, client.getsockname()[1], end.getsockname()[1], rng.choice((16, 24, 17, 2, 20)),
                      rng.randrange(1 << 32), rng.randrange(1 << 32), rng.randbytes(rng.choice((0, 10, 500))),
                      rng.random() < 0.3)
        send_crafted(net, version, pack(net, version, 6, segment))
    time.sleep(0.02)
    client.close()
    time.sleep(0.01)
    end.close()
    if rng.random() < 0.5:
        # One for the connection in TIME_WAIT.
        segment = tcp(version, dst, src, end_port(listener), 1, 16, 1, 1)
        net.frame("c", pack(net, version, 6, segment), version)
    listener.close()


def end_port(listener):
    return listener.getsockname()[1]


# ---- UDP


def step_udp(net):
    version = version_of(net)
    rng = net.rng
    server = net.server(version, socket.SOCK_DGRAM, rng.random() < 0.5)
    client = net.socket("c", socket.AF_INET6 if version == 6 or rng.random() < 0.5 else socket.AF_INET,
                        socket.SOCK_DGRAM)
    to = (net.target(client, version), server.getsockname()[1])
    connected = rng.random() < 0.5
    if connected:
        client.connect(to)
    n = rng.randrange(1, 4)
    for _ in range(n):
        data = rng.randbytes(rng.choice((0, 1, 100, 1472, 1473, 5000, 40000)))
        if connected:
            client.send(data)
        else:
            client.sendto(data, to)
    for _ in range(n):
        if rng.random() < 0.2:
            server.recvfrom(10, socket.MSG_PEEK)
        data, back = server.recvfrom(65536)
        server.sendto(data[:100], back)
    for _ in range(n):
        client.recv(65536)
    client.close()
    server.close()


def step_udp_segment(net):
    version = version_of(net)
    server = net.server(version, socket.SOCK_DGRAM)
    client = net.inet("c", version, socket.SOCK_DGRAM)
    client.setsockopt(SOL_UDP, UDP_SEGMENT, 100)
    client.sendto(net.rng.randbytes(net.rng.randrange(101, 1000)), (net.addr["s"][version], server.getsockname()[1]))
    drain_some(server)
    client.close()
    server.close()


def drain_some(s):
    while select.select([s], [], [], 0.02)[0]:
        s.recv(65536)


def step_udp_closed(net):
    version = version_of(net)
    client = net.inet("c", version, socket.SOCK_DGRAM)
    client.connect((net.addr["s"][version], CLOSED))
    client.send(b"nobody")
    time.sleep(0.01)
    try:
        client.recv(10)
    except OSError:
        pass
    client.close()


def step_udp_overflow(net):
    version = version_of(net)
    server = net.server(version, socket.SOCK_DGRAM)
    server.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2304)
    client = net.inet("c", version, socket.SOCK_DGRAM)
    for _ in range(8):
        client.sendto(bytes(700), (net.addr["s"][version], server.getsockname()[1]))
    drain_some(server)
    client.close()
    server.close()


def step_udp_unread(net):
    """Datagrams that a closed socket has not read."""
    version = version_of(net)
    server = net.server(version, socket.SOCK_DGRAM)
    client = net.inet("c", version, socket.SOCK_DGRAM)
    for _ in range(net.rng.randrange(1, 4)):
        client.sendto(b"unread", (net.addr["s"][version], server.getsockname()[1]))
    time.sleep(0.01)
    client.close()
    server.close()


def step_udp_crafted(net):
    version = version_of(net)
    rng = net.rng
    src, dst = net.addr["c"][version], net.addr["s"][version]
    server = net.server(version, socket.SOCK_DGRAM) if rng.random() < 0.7 else None
    port = server.getsockname()[1] if server else CLOSED
    for _ in range(rng.randrange(1, 4)):
        data = udp(version, src, dst, 5353, port, rng.randbytes(rng.randrange(0, 60)), rng.random() < 0.4,
                   rng.choice((None, None, None, 4, 9000)))
        send_crafted(net, version, pack(net, version, 17, data))
    time.sleep(0.02)
    if server:
        drain_some(server)
        server.close()


def step_udp_local(net):
    """Within one namespace, over the loopback device."""
    version = version_of(net)
    server = net.server(version, socket.SOCK_DGRAM)
    client = net.inet("s", version, socket.SOCK_DGRAM)
    client.sendto(b"local", ("127.0.0.1" if version == 4 else "::1", server.getsockname()[1]))
    server.recv(10)
    client.close()
    server.close()


def step_udp_nowhere(net):
    """Addresses without a route or a neighbour."""
    version = version_of(net)
    client = net.inet("c", version, socket.SOCK_DGRAM)
    to = net.rng.choice((NET4 + "1.98", "10.9.1.1", NET4 + "2.98") if version == 4 else
                        (NET6 + "1::98", "fd09::1", NET6 + "2::98"))
    try:
        client.sendto(b"nowhere", (to, PORT))
    except OSError:
        pass
    client.close()


def step_udp_broadcast(net):
    server = net.server(4, socket.SOCK_DGRAM, side="r")
    client = net.inet("c", 4, socket.SOCK_DGRAM)
    client.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
    client.sendto(b"all", (NET4 + "1.255", server.getsockname()[1]))
    drain_some(server)
    client.close()
    server.close()


# ---- UDP-Lite and SCTP


def has(kind, proto):
    """Does the kernel have this protocol?"""
    try:
        socket.socket(socket.AF_INET, kind, proto).close()
    except OSError:
        return False
    return True


def step_udplite(net):
    version = version_of(net)
    rng = net.rng
    server, client = (net.inet(side, version, socket.SOCK_DGRAM, UDPLITE) for side in "sc")
    server.bind(("" if version == 4 else "::", 0))
    to = (net.addr["s"][version], server.getsockname()[1])
    connected = rng.random() < 0.5
    if connected:
        client.connect(to)
    # UDPLITE_SEND_CSCOV (10), udplite(7).
    client.setsockopt(UDPLITE, 10, rng.choice((0, 8, 20)))
    for _ in range(rng.randrange(1, 4)):
        client.sendto(rng.randbytes(rng.choice((0, 20, 500, 1480, 3000))), to)
        data, back = server.recvfrom(65536)
        server.sendto(data[:50], back)
        client.recv(65536)
    if not connected:
        client.sendto(b"nobody", (to[0], CLOSED))
        time.sleep(0.01)
    client.close()
    server.close()


def step_sctp(net):
    version = version_of(net)
    rng = net.rng
    listener, client = (net.inet(side, version, socket.SOCK_STREAM, SCTP) for side in "sc")
    listener.bind(("" if version == 4 else "::", 0))
    listener.listen(4)
    if rng.random() < 0.2:
        try:
            client.connect((net.addr["s"][version], CLOSED))
        except OSError:
            pass
    else:
        client.connect((net.addr["s"][version], listener.getsockname()[1]))
        end, _ = listener.accept()
        end.settimeout(1)
        for _ in range(rng.randrange(1, 4)):
            client.send(rng.randbytes(rng.choice((1, 100, 1400, 3000))))
            end.recv(65536)
            end.send(b"answer")
            client.recv(100)
        end.close()
    client.close()
    listener.close()
    time.sleep(0.01)


# ---- ICMP


def step_ping(net):
    version = version_of(net)
    rng = net.rng
    client = net.inet("c", version, socket.SOCK_RAW, 1 if version == 4 else 58)
    data = icmp(version, net.addr["c"][version], net.addr["s"][version], 8 if version == 4 else 128, 0,
                struct.pack("!HH", 77, 1) + rng.randbytes(rng.choice((0, 56, 2000))))
    client.sendto(data, (net.addr[rng.choice("sr")][version], 0))
    drain_some(client)
    client.close()


def step_ping_socket(net):
    version = version_of(net)
    client = net.inet("c", version, socket.SOCK_DGRAM, 1 if version == 4 else 58)
    data = icmp(version, NET4 + "1.1" if version == 4 else "::", NET4 + "1.1" if version == 4 else "::",
                8 if version == 4 else 128, 0, struct.pack("!HH", 0, 1) + b"ping")
    try:
        client.sendto(data, (net.addr["s"][version], 0))
        client.recv(100)
    except OSError:
        pass
    client.close()


def step_icmp_crafted(net):
    version = version_of(net)
    rng = net.rng
    # Linux counts its answers to timestamp requests (13) as answers to echo requests.
    kinds = (0, 3, 4, 5, 8, 11, 12, 14, 17, 40) if version == 4 else (1, 2, 3, 4, 128, 129, 130, 200)
    for _ in range(rng.randrange(1, 4)):
        data = icmp(version, net.addr["c"][version], net.addr["s"][version], rng.choice(kinds), rng.randrange(3),
                    rng.randbytes(rng.choice((0, 4, 36, 60))), rng.random() < 0.3)
        send_crafted(net, version, pack(net, version, 1 if version == 4 else 58, data))
    time.sleep(0.02)


def step_ttl(net):
    """Datagrams that end at the router."""
    version = version_of(net)
    client = net.inet("c", version, socket.SOCK_DGRAM)
    if version == 4:
        client.setsockopt(socket.IPPROTO_IP, socket.IP_TTL, 1)
    else:
        client.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_UNICAST_HOPS, 1)
    client.sendto(b"short", (net.addr["s"][version], CLOSED))
    time.sleep(0.01)
    client.close()


# ---- IP


def step_ip_crafted(net):
    """Faults of headers, unknown protocols, options, fragments without the rest."""
    version = version_of(net)
    rng = net.rng
    how = rng.choice(("proto", "sum", "version", "long", "short", "options", "fragment", "other", "cut"))
    data = udp(version, net.addr["c"][version], net.addr["s"][version], 9, CLOSED, rng.randbytes(32))
    if how == "proto":
        packet = pack(net, version, rng.choice((2, 47, 89, 103, 132, 250, 255)), data)
    elif how == "sum" and version == 4:
        packet = pack(net, 4, 17, data, wrong=True)
    elif how == "version":
        packet = pack(net, version, 17, data, claim=5)
    elif how == "long":
        packet = pack(net, version, 17, data, length=1200)
    elif how == "short" and version == 4:
        packet = pack(net, version, 17, data, length=30)
    elif how == "options" and version == 4:
        packet = pack(net, 4, 17, udp(4, net.addr["c"][4], net.addr["s"][4], 9, CLOSED, b"x"),
                      options=rng.choice((b"\x01\x01\x01\x00", b"\x07\x07\x04" + bytes(4) + b"\x00", b"\x83\x03\x04\x00")))
    elif how == "fragment" and version == 4:
        packet = pack(net, 4, 17, data, frag=rng.choice((0x2000, 0x2010, 0x0010)))
    elif how == "other":
        packet = ip4(NET4 + "1.1", "10.99.9.9", 17, data) if version == 4 else ip6(NET6 + "1::1", "fd99::9", 17, data)
    elif how == "cut":
        packet = pack(net, version, 17, data)[:rng.randrange(1, 20)]
        net.frame("c", packet, version)
        return
    else:
        packet = pack(net, version, 59, b"")
    send_crafted(net, version, packet)
    time.sleep(0.01)


def step_frame(net):
    """Frames by a packet socket, for this machine and for others."""
    version = version_of(net)
    rng = net.rng
    src, dst = net.addr["c"][version], net.addr[rng.choice("rs")][version]
    data = udp(version, src, dst, 4, CLOSED, b"frame")
    net.frame("c", ip4(src, dst, 17, data) if version == 4 else ip6(src, dst, 17, data), version,
              rng.random() < 0.2)
    time.sleep(0.01)


ABSENT = [step for step, kind, proto in ((step_udplite, socket.SOCK_DGRAM, UDPLITE), (step_sctp, socket.SOCK_STREAM, SCTP))
          if not has(kind, proto)]
STEPS = [value for name, value in sorted(globals().items()) if name.startswith("step_") and value not in ABSENT]


def main():
    *names, seed, count = sys.argv[1:]
    rng = random.Random(int(seed))
    net = Net(names, rng)
    only, without = os.environ.get("STEPS", "").split(), os.environ.get("WITHOUT", "").split()
    steps = [s for s in STEPS if (not only or s.__name__[5:] in only) and s.__name__[5:] not in without]
    for _ in range(int(count)):
        step = rng.choice(steps)
        try:
            step(net)
        except OSError as e:
            if e.errno not in (errno.ECONNRESET, errno.EPIPE, errno.ECONNREFUSED, errno.ENOBUFS, errno.EHOSTUNREACH,
                               errno.ENETUNREACH, None, errno.EMSGSIZE, errno.EPROTO, errno.ECONNABORTED,
                               errno.EINVAL, errno.EIO):
                raise
    # Packets that wait for a neighbour are dropped then.
    time.sleep(1)
    for name, n in sorted(net.counts.items()):
        print("load", name, n)
    print("steps", count)


main()
