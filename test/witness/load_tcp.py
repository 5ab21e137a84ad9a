#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
#
# load_tcp.py CLIENT SERVER SEED COUNT: random TCP sessions over the path of lossy.py, eight at a time.
#
# WAYS lists pairs OPENING/CLOSING, if only these should come, with the usual settings.  SEED chooses how each of COUNT sessions opens, what it sends, where it stops to read, and how it closes; and for eight
# sessions the settings of the two namespaces.  The lines of the output:
#
#   load NAME N          events that the programs see
#   look ENDS FROM TO A / B
#                        what TCP_INFO said of a socket before (A) and after (B) a call to recv() between two moments
#   total SIDE NAME N    bytes of all connections of a namespace, as TCP_INFO says at their end
import collections
import ctypes
import errno
import os
import random
import select
import socket
import struct
import sys
import threading
import time

CLONE_NEWNET = 0x40000000
TCP_REPAIR, TCP_REPAIR_QUEUE, TCP_QUEUE_SEQ, TCP_REPAIR_WINDOW = 19, 20, 21, 29
TCP_RECV_QUEUE, TCP_REPAIR_OFF_NO_WP = 1, -1
TCP_USER_TIMEOUT, TCP_LINGER2, TCP_WINDOW_CLAMP, TCP_CONGESTION = 18, 8, 10, 13
CLOSED = 7999       # no socket has this port
AT_ONCE = 8
# struct tcp_info of include/uapi/linux/tcp.h
INFO = struct.Struct("<8B24I4Q6IQ3Q2I2Q6I")
NAMES = ("state ca_state retransmits probes backoff options wscale flags rto ato snd_mss rcv_mss unacked sacked lost retrans "
         "fackets last_data_sent last_ack_sent last_data_recv last_ack_recv pmtu rcv_ssthresh rtt rttvar snd_ssthresh snd_cwnd "
         "advmss reordering rcv_rtt rcv_space total_retrans pacing_rate max_pacing_rate bytes_acked bytes_received segs_out "
         "segs_in notsent_bytes min_rtt data_segs_in data_segs_out delivery_rate busy_time rwnd_limited sndbuf_limited delivered "
         "delivered_ce bytes_sent bytes_retrans dsack_dups reord_seen rcv_ooopack snd_wnd rcv_wnd rehash").split()
SHOWN = "state retransmits wscale rto snd_mss sacked rtt rttvar snd_ssthresh snd_cwnd snd_wnd rcv_wnd".split()
LISTEN, ESTABLISHED, CLOSE = 10, 1, 7
libc = ctypes.CDLL(None, use_errno=True)
lock = threading.Lock()
counts, totals = collections.Counter(), collections.Counter()
names = dict(zip("cs", sys.argv[1:3]))
NET4, NET6 = f"10.{os.environ['NET']}.1.", f"fd{os.environ['NET']}:1::"
HOST = {"c": "1", "s": "2"}


def say(*words):
    with lock:
        print(*words)


def count(name):
    with lock:
        counts[name] += 1


def enter(side):
    """Moves this thread to a namespace."""
    with open("/run/netns/" + names[side]) as ns:
        if libc.setns(ns.fileno(), CLONE_NEWNET) != 0:
            raise OSError(ctypes.get_errno(), "setns")


def info_of(s):
    return dict(zip(NAMES, INFO.unpack(s.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, INFO.size))))


class End:
    """A socket with its side and addresses."""

    def __init__(self, session, side, s=None):
        self.session, self.side = session, side
        if s is None:
            enter(side)
            s = socket.socket(session.family, socket.SOCK_STREAM)
            session.choose(s)
        self.s = s
        s.setblocking(False)
        self.peer = None

    def connect(self, to):
        self.peer = to
        try:
            self.s.connect(to)
        except BlockingIOError:
            pass

    def wait(self, events, seconds):
        poll = select.poll()
        poll.register(self.s, events)
        return poll.poll(seconds * 1000)

    def error(self):
        return self.s.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)

    def is_connected(self, seconds=6):
        """Waits until the socket is connected; prints what it became."""
        self.wait(select.POLLOUT, seconds)
        e = self.error()
        if e == errno.ECONNREFUSED:
            count("connect-refused")
        state = info_of(self.s)["state"]
        if e == 0 and state not in (2, 7):
            count("connect-established")
            return True
        return False

    def look(self):
        """The members of the connection, before and after a call that makes dtrace print them."""
        try:
            local = self.s.getsockname()[:2]
        except OSError:
            return
        if self.peer is None:
            return
        window = ()
        is_deep = self.session.rng.random() < 0.5
        start = time.monotonic_ns()
        try:
            before, deep_before = info_of(self.s), self.repair() if is_deep else window
            from_ = time.monotonic_ns()
            try:
                self.s.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
            except OSError as e:
                if e.errno == errno.ECONNREFUSED:
                    count("connect-refused")
            to = time.monotonic_ns()
            after, deep_after = info_of(self.s), self.repair() if is_deep else window
        except OSError:
            return
        debug = self.s.getsockopt(socket.SOL_SOCKET, socket.SO_DEBUG)
        values = [" ".join(map(str, [i[name] for name in SHOWN] + [debug, *deep])) for i, deep in
                  ((before, deep_before), (after, deep_after))]
        say("look", *local, *self.peer[:2], from_, to, values[0], "/", values[1])

    def repair(self):
        """Numbers that only TCP_REPAIR shows: snd_wl1, snd_wnd, max_window, rcv_wnd, rcv_wup; rcv_nxt."""
        if info_of(self.s)["state"] in (LISTEN, CLOSE):
            return ()
        tcp = socket.IPPROTO_TCP
        try:
            self.s.setsockopt(tcp, TCP_REPAIR, 1)
            self.s.setsockopt(tcp, TCP_REPAIR_QUEUE, TCP_RECV_QUEUE)
            numbers = struct.unpack("5I", self.s.getsockopt(tcp, TCP_REPAIR_WINDOW, 20))
            numbers += struct.unpack("I", self.s.getsockopt(tcp, TCP_QUEUE_SEQ, 4))
            self.s.setsockopt(tcp, TCP_REPAIR, TCP_REPAIR_OFF_NO_WP)
        except OSError:
            return ()
        return numbers

    def send_some(self, data):
        try:
            return self.s.send(data)
        except BlockingIOError:
            return 0

    def read_some(self):
        """Returns the number of bytes, 0 at the end, -1 if there are none."""
        try:
            return len(self.s.recv(65536))
        except BlockingIOError:
            return -1

    def shut(self):
        try:
            self.s.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def close(self, is_counted=False):
        if is_counted:
            i = info_of(self.s)
            with lock:
                for name in ("bytes_sent", "bytes_retrans", "bytes_received", "bytes_acked"):
                    totals[self.side, name] += i[name]
        self.s.close()


class Session:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.version = self.rng.choice((4, 6))
        self.family = socket.AF_INET if self.version == 4 else socket.AF_INET6
        self.side, self.other = self.rng.choice(("cs", "sc"))

    def address(self, side):
        return (NET4 if self.version == 4 else NET6) + HOST[side]

    def choose(self, s):
        """Random options of a socket."""
        rng, tcp = self.rng, socket.IPPROTO_TCP
        if rng.random() < 0.2:
            s.setsockopt(tcp, socket.TCP_MAXSEG, rng.choice((536, 900, 1400)))
        if rng.random() < 0.3:
            s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, rng.choice((4096, 20000, 400000)))
        if rng.random() < 0.2:
            s.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, rng.choice((10000, 400000)))
        if rng.random() < 0.1:
            s.setsockopt(tcp, TCP_WINDOW_CLAMP, rng.choice((5000, 50000)))
        if rng.random() < 0.3:
            s.setsockopt(tcp, socket.TCP_NODELAY, 1)
        if rng.random() < 0.3:
            s.setsockopt(socket.SOL_SOCKET, socket.SO_DEBUG, 1)
        if rng.random() < 0.3:
            s.setsockopt(tcp, TCP_CONGESTION, rng.choice((b"reno", b"cubic")))
        if rng.random() < 0.2:
            s.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            s.setsockopt(tcp, socket.TCP_KEEPIDLE, 1)
            s.setsockopt(tcp, socket.TCP_KEEPINTVL, 1)

    def listen(self, backlog=16):
        listener = End(self, self.other)
        listener.s.bind((self.address(self.other), 0))
        listener.s.listen(backlog)
        return listener

    def accept(self, listener, seconds=4):
        if not listener.wait(select.POLLIN, seconds):
            return None
        s, peer = listener.s.accept()
        count("accept-established")
        end = End(self, self.other, s)
        end.peer = peer
        return end

    # ---- openings: they return the two ends, or nothing

    def open_usual(self):
        listener = self.listen()
        client = End(self, self.side)
        client.connect(listener.s.getsockname())
        client.look()
        connected = client.is_connected()
        end = self.accept(listener) if connected else None
        if connected and end is None:
            # With cookies, the server knows the connection only when a segment brings the cookie back.
            client.send_some(b"x")
            end = self.accept(listener)
        listener.close()
        if end is None:
            client.close()
            return None
        return client, end

    def open_both(self):
        """Both sides connect: their SYNs cross."""
        ends = End(self, self.side), End(self, self.other)
        for end in ends:
            end.s.bind((self.address(end.side), 0))
        to = [end.s.getsockname() for end in ends]
        for end, peer in zip(ends, reversed(to)):
            end.connect(peer)
        for end in ends:
            end.look()
        if all([end.is_connected() for end in ends]):
            return ends
        for end in ends:
            end.close()
        return None

    def open_refused(self):
        client = End(self, self.side)
        client.connect((self.address(self.other), CLOSED))
        client.is_connected(3)
        client.look()
        client.close()

    def open_nowhere(self):
        """No machine has the address."""
        client = End(self, self.side)
        client.connect((NET4 + "99" if self.version == 4 else NET6 + "99", CLOSED))
        client.wait(select.POLLOUT, self.rng.choice((0.01, 1.2)))
        client.look()
        client.close()

    def open_unaccepted(self):
        """The listener closes with connections that nobody has accepted, or that are not complete."""
        listener = self.listen(self.rng.choice((0, 1, 16)))
        clients = [End(self, self.side) for _ in range(self.rng.randrange(1, 4))]
        for client in clients:
            client.connect(listener.s.getsockname())
        for client in clients:
            client.is_connected(self.rng.choice((0.1, 2)))
            client.look()
        # The listener's count of connections that wait to be accepted.
        with lock:
            counts["accept-established"] += info_of(listener.s)["unacked"]
        listener.close()
        for client in clients:
            client.wait(select.POLLIN, 0.2)
            client.look()
            client.close()

    def open_datagrams(self):
        """Datagrams of one packet, and answers; with WAYS only."""
        ends = []
        for side in (self.side, self.other):
            enter(side)
            s = socket.socket(self.family, socket.SOCK_DGRAM)
            s.settimeout(1)
            s.bind((self.address(side), 0))
            ends.append(s)
        for _ in range(self.rng.randrange(1, 9)):
            one, two = self.rng.choice((ends, ends[::-1]))
            one.sendto(self.rng.randbytes(self.rng.randrange(1400)), two.getsockname())
            two.recv(2000)
        for s in ends:
            s.close()

    # ---- data

    def pump(self, a, b, size, stops):
        """Sends SIZE bytes from A to B; if STOPS, B does not read until A can send no more."""
        data, sent, got, end = self.rng.randbytes(min(size, 60000)), 0, 0, time.monotonic() + 3
        while got < size and time.monotonic() < end:
            n = 0
            if sent < size:
                n = a.send_some(data[:size - sent])
                sent += n
            if stops and n == 0:
                a.look()
                b.look()
                time.sleep(self.rng.choice((0.05, 0.4)))
                a.look()
                b.look()
                stops = False
            if not stops or sent == size:
                r = b.read_some()
                if r == 0:
                    return
                got += max(r, 0)
                if r < 0 and n == 0:
                    b.wait(select.POLLIN, 0.05)
            if self.rng.random() < 0.05:
                self.rng.choice((a, b)).look()

    def exchange(self, a, b):
        for _ in range(self.rng.randrange(4)):
            x, y = self.rng.choice(((a, b), (b, a)))
            stops = self.rng.random() < 0.2
            self.pump(x, y, self.rng.choice((600000, 2000000)) if stops else
                      self.rng.choice((1, 100, 1448, 1449, 9000, 100000, 300000)), stops)
            x.look()
            y.look()

    # ---- closings

    def drain(self, ends):
        """Reads to the end of both directions."""
        open_, end = list(ends), time.monotonic() + 5
        while open_ and time.monotonic() < end:
            for one in list(open_):
                r = one.read_some()
                if r == 0:
                    open_.remove(one)
            if open_:
                open_[0].wait(select.POLLIN, 0.02)
        return not open_

    def settle(self, ends):
        """Waits until everything is acknowledged; then the totals of TCP_INFO do not change."""
        end = time.monotonic() + 3
        while time.monotonic() < end:
            # FIN_WAIT_1, CLOSING and LAST_ACK wait for an acknowledgement.
            if not any(info_of(one.s)["unacked"] or info_of(one.s)["state"] in (4, 11, 9) for one in ends):
                return
            time.sleep(0.02)

    def close_orderly(self, a, b):
        both = self.rng.random() < 0.4
        a.shut()
        if both:
            b.shut()
        a.look()
        b.look()
        if not both and self.rng.random() < 0.3:
            # Half closed: the other direction still works.
            self.pump(b, a, 20000, False)
        if not both:
            self.drain([b])
            b.look()
            b.shut()
        self.drain([a, b] if both else [a])
        a.look()
        b.look()
        self.settle((a, b))
        a.look()
        b.look()
        a.close(True)
        b.close(True)

    def close_reset(self, a, b):
        one, two = self.rng.choice(((a, b), (b, a)))
        one.s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        one.close()
        two.wait(select.POLLIN, 0.2)
        two.look()
        two.close()

    def close_unread(self, a, b):
        a.send_some(b"nobody reads this")
        b.wait(select.POLLIN, 0.5)
        b.close()
        a.wait(select.POLLIN, 0.5)
        a.look()
        a.close()

    def close_early(self, a, b):
        """Data are on their way when both programs close."""
        a.send_some(bytes(50000))
        b.send_some(bytes(50000))
        a.close()
        if self.rng.random() < 0.5:
            time.sleep(0.05)
            b.look()
        b.close()

    def close_half(self, a, b):
        """The closed side waits for the FIN of the other."""
        if self.rng.random() < 0.3:
            a.s.setsockopt(socket.IPPROTO_TCP, TCP_LINGER2, self.rng.choice((-1, 1)))
        a.close()
        b.wait(select.POLLIN, 1)
        b.look()
        if self.rng.random() < 0.3:
            b.send_some(b"too late")
            time.sleep(0.05)
        b.close()

    def close_cut(self, a, b):
        """The path breaks: the connection ends by a timeout."""
        a.s.setsockopt(socket.IPPROTO_TCP, TCP_USER_TIMEOUT, 300)
        with open(os.environ["CUT"], "w") as f:
            f.write(f"cut {a.s.getsockname()[1]}\n")
        a.send_some(b"into the void")
        a.wait(select.POLLIN, 0.1)
        a.look()
        a.wait(select.POLLIN, 3)
        a.look()
        b.look()
        a.close()
        b.s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        b.close()

    def close_idle(self, a, b):
        """Keepalive probes, then an orderly end."""
        for end in (a, b):
            end.s.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            end.s.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, 1)
        time.sleep(1.2)
        self.close_orderly(a, b)

    def run(self):
        ways = os.environ.get("WAYS", "").split()
        opening = self.rng.choices(("usual", "both", "refused", "nowhere", "unaccepted"), (60, 12, 8, 5, 8))[0]
        closing = self.rng.choices(("orderly", "reset", "unread", "early", "half", "cut", "idle"), (8, 2, 2, 2, 2, 1, 1))[0]
        if ways:
            opening, closing = self.rng.choice(ways).split("/")
        try:
            ends = getattr(self, "open_" + opening)()
            if ends is None:
                return
            for end in ends:
                end.look()
            self.exchange(*ends)
            getattr(self, "close_" + closing)(*self.rng.choice((ends, ends[::-1])))
        except OSError as e:
            if e.errno not in (errno.ECONNRESET, errno.EPIPE, errno.ETIMEDOUT, errno.ENOTCONN, errno.ECONNREFUSED,
                               errno.ECONNABORTED):
                raise
            for one in ends or ():
                one.close()


def settings(rng):
    """Random settings for both namespaces, before the sessions that use them."""
    for side in "cs":
        enter(side)
        for name, values in (("tcp_sack", (1, 1, 0)), ("tcp_timestamps", (1, 1, 0)), ("tcp_window_scaling", (1, 1, 0)),
                             ("tcp_syncookies", (1, 2, 0)), ("tcp_dsack", (1, 0)), ("tcp_early_retrans", (3, 0)),
                             ("tcp_ecn", (0, 1, 2)), ("tcp_moderate_rcvbuf", (1, 0)), ("tcp_autocorking", (1, 0)),
                             ("tcp_no_metrics_save", (0, 1)), ("tcp_rfc1337", (0, 1)), ("tcp_abort_on_overflow", (0, 0, 1))):
            with open("/proc/sys/net/ipv4/" + name, "w") as f:
                f.write(str(rng.choice(values)))


def main():
    seed, total = int(sys.argv[3]), int(sys.argv[4])
    rng = random.Random(seed)
    failed = []

    def run(number):
        try:
            Session(f"{seed} {number}").run()
        except BaseException:
            failed.append(number)
            raise

    for first in range(0, total, AT_ONCE):
        if "WAYS" not in os.environ:
            settings(rng)
        threads = [threading.Thread(target=run, args=(n,)) for n in range(first, min(first + AT_ONCE, total))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    for name, n in sorted(counts.items()):
        say("load", name, n)
    for (side, name), n in sorted(totals.items()):
        say("total", side, name, n)
    sys.exit(bool(failed))


main()
