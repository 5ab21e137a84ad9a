#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
#
# loss.py FOLDER: judges the lines of dtrace in FOLDER/out, beside FOLDER/said (the load), FOLDER/wire (the path) and
# FOLDER/nstat.*.
#
# Each line of dtrace has the members of a connection.  Numbers that a segment carries are compared with the segment, and
# with the numbers of its connection so far.  The others are compared with TCP_INFO, if it said the same before and after
# the call that made dtrace print them.
import bisect
import collections
import os
import sys

from tcp import NEXT, SS, plain

MEMBERS = ("laddr lport raddr rport state iss irs suna smax snxt rack rnxt swnd snd_ws swl1 radv rwnd rcv_ws cwnd cwnd_ssthresh "
           "srecover rto mss retransmit srtt rtt rtt_sd debug dupacks ts_recent local active addr").split()
TEXT = {"laddr", "raddr", "addr"}
STATES = {1: "established", 2: "syn-sent", 3: "syn-received", 4: "fin-wait-1", 5: "fin-wait-2", 6: "time-wait", 7: "closed",
          8: "close-wait", 9: "last-ack", 10: "listen", 11: "closing"}
SYN_SENT, SYN_RECV, TIME_WAIT, CLOSE, LISTEN = 2, 3, 6, 7, 10
FIN, SYN, RST, PSH, ACK = 1, 2, 4, 8, 16
Segment = collections.namedtuple("Segment", "src sport dst dport seq ack flags window check len tsval tsecr kind when")
NEW, AGAIN, ANSWER = "new", "again", "answer again"
NO_SSTHRESH, LARGEST = 0x7FFFFFFF, 65535 << 14
compared = nonzero = 0
wrong = collections.Counter()
known = collections.Counter()


def differs(what, *words):
    wrong[what] += 1
    if wrong[what] <= 3:
        print(f"# {what}:", *words)


def same(what, got, want, *words):
    global compared, nonzero
    compared += 1
    nonzero += got != 0 or want != 0
    if got != want:
        differs(what, "dtrace", got, "witness", want, *words)


def is_before(a, b):
    return (a - b) & 0x80000000 != 0


def space(segment):
    return segment.len + bool(segment.flags & SYN) + bool(segment.flags & FIN)


class Flow:
    """One direction of a connection, as the path saw it."""

    def __init__(self):
        self.syn = None
        self.end = None
        self.acks = set()


def read_wire(path):
    """Returns the segments by way and side, and the flows; a segment that leaves has a kind."""
    packets, flows = collections.defaultdict(list), collections.defaultdict(Flow)
    with open(path) as f:
        for line in f:
            way, side, when, *rest = line.split()
            segment = Segment(*(int(v) if v.isdigit() else v for v in rest), NEW, int(when))
            if way == "out":
                segment = segment._replace(kind=kind_of(flows[segment[:4]], segment))
                flows[segment[:4]].acks.add(segment.ack)
            packets[way, side].append(segment)
    return packets, flows


def kind_of(flow, segment):
    if segment.flags & RST:
        return NEW
    if segment.flags & SYN:
        flow.syn = segment.seq
    end = segment.seq + space(segment) & 0xFFFFFFFF
    if space(segment) and flow.end is not None and not is_before(flow.end, end):
        return ANSWER if segment.flags & SYN and segment.flags & ACK else AGAIN
    flow.end = end if space(segment) else flow.end
    return NEW


def amounts(segments):
    """Segments and bytes of data, of each kind."""
    n = collections.Counter()
    for segment in segments:
        n[segment.kind] += 1
        n[segment.kind, "bytes"] += segment.len
    return n


def read_lines(path):
    """Yields the name of the probe, the moment, the members, and what follows them."""
    with open(path) as f:
        for line in f:
            word = line.rstrip("\n").split("|")
            if word[0] == "mib":
                yield "mib", 0, word[1:], ()
            elif len(word) > len(MEMBERS):
                m = {name: value if name in TEXT else int(value) for name, value in zip(MEMBERS, word[2:])}
                m["laddr"], m["raddr"] = plain(m["laddr"]), plain(m["raddr"])
                yield word[0], int(word[1]), m, [int(v) if v.isdigit() else v for v in word[2 + len(MEMBERS):]]


def ends(m):
    return m["laddr"], m["lport"], m["raddr"], m["rport"]


def judge_connection(m, key, flows, words, is_new=False, is_busy=False):
    """What holds at every probe."""
    sent, got = flows.get(key), flows.get(key[2:] + key[:2])
    if m["addr"] == "0" or m["state"] == LISTEN:
        return
    same("tcps_smax", m["smax"], m["snxt"], *words)
    # In TIME_WAIT, the kernel does not keep these numbers; a socket that leaves LISTEN does not have them yet.
    if m["state"] == TIME_WAIT and m["iss"] == 0 or is_new:
        return
    if m["iss"] == 0 and m["snxt"] == 0 and m["state"] in (SYN_SENT, CLOSE):
        known["a segment or an end before the socket has its first number"] += 1
    elif sent and sent.syn is not None and not is_busy:
        same("tcps_iss", m["iss"], sent.syn, STATES[m["state"]], *words)
        # The first number that is not acknowledged is the number of an acknowledgement.
        if m["suna"] not in (0, sent.syn):
            same("tcps_suna", m["suna"] in (got.acks if got else ()), True, m["suna"], *words)
    # Until its SYN comes, the other side's number is not known.
    if got and got.syn is not None and m["irs"] != 0 and not is_busy:
        same("tcps_irs", m["irs"], got.syn, *words)
    if m["state"] not in (SYN_SENT, CLOSE) and m["irs"] == 0 and not (words[0] == "state" and m["state"] == SYN_RECV):
        differs("tcps_irs", 0, STATES[m["state"]], *words)
    same("tcps_local", m["local"], -1 if ":" in m["laddr"] else 0, *words)
    same("tcps_active", m["active"], -1, *words)


def judge_sent(m, segment, stamps, words):
    """The members of a connection beside the segment that it sends."""
    same("tcps of the sender", ends(m), segment[:4])
    if segment.flags & ACK and not segment.flags & RST:
        same("tcps_rnxt sent", m["rnxt"], segment.ack, *words)
        same("tcps_rack sent", m["rack"], segment.ack, *words)
        if segment.flags & SYN:
            same("tcps_rwnd of a SYN", min(m["rwnd"], 65535), segment.window, *words)
        else:
            # The kernel keeps a larger window than a segment can carry; in TIME_WAIT it cuts off the upper bits.
            window = m["rwnd"] >> max(m["rcv_ws"], 0)
            same("tcps_rwnd sent", window & 65535 if m["state"] == TIME_WAIT else min(window, 65535), segment.window, *words)
        same("tcps_radv sent", m["radv"], m["rack"] + m["rwnd"] & 0xFFFFFFFF, *words)
        if stamps and stamps[0]:
            same("tcps_ts_recent sent", m["ts_recent"], stamps[1], *words)


def judge_looks(said, users, changes, arrivals):
    """TCP_INFO beside the probe of the call between."""
    moved = 0
    for line in said:
        word = line.split()
        if word[0] != "look":
            continue
        at = word.index("/")
        key = (plain(word[1]), int(word[2]), plain(word[3]), int(word[4]))
        from_, to = int(word[5]), int(word[6])
        before, after = [int(v) for v in word[7:at]], [int(v) for v in word[at + 1:]]
        of = users.get(key, [])
        found = [m for when, m in of[bisect.bisect(of, (from_,)):] if when < to]
        if len(found) != 1:
            differs("debug-user", "dtrace", len(found), "witness 1", *word[1:7])
            continue
        m = found[0]
        (state, retransmits, wscale, rto, mss, sacked, rtt, rttvar, ssthresh, cwnd, swnd, rwnd, debug), deep = before[:13], before[13:]
        # The tests of the values before and after, which have to be equal, and what dtrace should show.
        sure = [a == b for a, b in zip(before, after)]
        threshold = LARGEST if ssthresh >= NO_SSTHRESH else ssthresh * mss & 0xFFFFFFFF
        rows = [("state", state, (0,)), ("retransmit", int(retransmits != 0), (1,)), ("rto", rto // 1000, (3,)), ("mss", mss, (4,)), ("dupacks", sacked, (5,)),
                ("rtt", rtt // 1000, (6,)), ("rtt_sd", rttvar // 1000, (7,)), ("cwnd_ssthresh", threshold, (8, 4)),
                ("cwnd", cwnd * mss & 0xFFFFFFFF, (9, 4)), ("swnd", swnd, (10,)), ("rwnd", rwnd, (11,)), ("debug", debug, (12,))]
        # If SYNs cross, and only one offers a scale, Linux uses its own scale, and TCP_INFO says 0.
        # A wrong answer to a SYN changes the scale for a moment.
        if wscale or state in (SYN_SENT, CLOSE) and not any(abs(when - from_) < 1000000 for when in arrivals[key]):
            rows += [("snd_ws", wscale & 15, (2,)), ("rcv_ws", wscale >> 4, (2,))]
        if deep and len(after) == len(before):
            rows += [("swl1", deep[0], (13,)), ("swnd", deep[1], (14,)), ("rwnd", deep[3], (16,)), ("rack", deep[4], (17,)),
                     ("radv", deep[3] + deep[4] & 0xFFFFFFFF, (16, 17)), ("rnxt", deep[5], (18,))]
        for name, want, where in rows:
            if all(sure[i] for i in where):
                same(f"tcps_{name} by TCP_INFO", m[name], want, *word[1:7], "state", state)
            else:
                moved += 1
        if sure[6]:
            same("tcps_srtt by TCP_INFO", m["srtt"] >> 3, rtt, *word[1:7])
        mine = [new for when, new in changes.get(key, []) if when < from_]
        if sure[0] and mine and not any(from_ <= when <= to for when, _ in changes[key]):
            # The socket of the program is closed; another one waits.
            got = CLOSE if mine[-1] == TIME_WAIT else mine[-1]
            same("the last state-change", STATES[got], STATES[state], *word[1:7])
    return moved


def main():
    global compared
    folder = sys.argv[1]
    packets, flows = read_wire(f"{folder}/wire")
    with open(f"{folder}/said") as f:
        said = f.read().splitlines()
    addresses = {"c": (".1.1", ":1::1"), "s": (".1.2", ":1::2")}

    def side_of(address):
        return next(side for side in "cs" if address.endswith(addresses[side]))

    out, received = collections.defaultdict(collections.deque), collections.Counter()
    for side in "cs":
        for segment in packets["out", side]:
            out[segment[:5]].append(segment)
        for way in ("in", "in-bad"):
            for segment in packets[way, side]:
                received[segment[:8] + segment[9:10]] += 1
    bad = collections.Counter(s[:8] + s[9:10] for side in "cs" for s in packets["in-bad", side])
    probes, counters = collections.Counter(), {}
    arrivals = collections.defaultdict(list)
    users, changes = collections.defaultdict(list), collections.defaultdict(list)
    last = {}
    for name, when, m, rest in read_lines(f"{folder}/out"):
        if name == "mib":
            counters[m[0], m[1]] = int(m[2])
            continue
        key = ends(m)
        words = (name, when, *key)
        if name == "user":
            users[key].append((when, m))
            # The probe fires outside of the lock of the socket: a segment can change two numbers one after the other.
            judge_connection(m, key, flows, words, is_busy=any(when - t < 1000000 for t in arrivals[key]))
            continue
        if name == "state":
            old, new = STATES[rest[0]], STATES[m["state"]]
            compared += 1
            if new not in NEXT[old].split():
                differs("an impossible change", *words, old, new)
            # A child is first seen in SYN_RECEIVED.
            if key in last and last[key] not in (old, "closed", "time-wait") and old != "listen":
                differs("a gap", *words, old, new, "after", last[key])
            last[key] = new
            changes[key].append((when, m["state"]))
            judge_connection(m, key, flows, words, rest[0] == LISTEN)
            continue
        head = Segment(*rest[:9], rest[9], 0, 0, "", when)
        probes[name] += 1
        if name == "send":
            left, at, flags, first = max(head.len, 0), head.seq, 0, None
            while first is None or left > 0:
                queue = out.get(head[:4] + (at,))
                if not queue:
                    differs("sent, and not on the path", *words, *head)
                    break
                fit = [s for s in queue if s.ack == head.ack and s.window == head.window and s.len <= left]
                one = min(fit, key=lambda s: abs(s.when - head.when), default=None)
                if one is None:
                    differs("another segment on the path", *words, *head, "path", *queue[0])
                    break
                queue.remove(one)
                first = first or one
                flags |= one.flags
                left -= one.len
                at = at + one.len & 0xFFFFFFFF
            if first is None:
                continue
            same("tcp_flags sent", head.flags, flags, *words)
            if m["addr"] == "0" or m["laddr"] == "<unknown>":
                continue
            # The kernel answers for a listener.
            if m["rport"] == 0:
                same("tcps of the listener", key[:2], head[:2])
                continue
            judge_connection(m, key, flows, words)
            judge_sent(m, head, (first.tsval, first.tsecr), words)
            # The socket counts a segment when it has sent it.
            if first.kind == NEW and not head.flags & (SYN | RST) and space(head):
                same("tcps_snxt sent", m["snxt"], head.seq, *words)
        elif name == "receive":
            full = head[:8] + head[9:10]
            if received[full] > 0:
                received[full] -= 1
                compared += 9
                arrivals[key].append(when)
            else:
                differs("received, and not on the path", *words, *head)
            if m["addr"] != "0" and m["state"] != LISTEN and m["laddr"] != "<unknown>":
                same("tcps of the receiver", key, (head.dst, head.dport, head.src, head.sport))
                judge_connection(m, key, flows, words)
        elif name.startswith("connect"):
            judge_connection(m, key, flows, words)
    # Some kernels run no programs in protected processes, nor in interrupts of these (docs/security.md); counters miss these
    # segments, too.  A guest has no such processes, so nothing may be missing there.
    may_miss = not os.environ.get("IN_GUEST")
    left = {side: [s for key, queue in out.items() for s in queue if side_of(key[0]) == side] for side in "cs"}
    missed = {side: amounts(left[side]) for side in "cs"}
    for side in "cs":
        if len(left[side]) > may_miss * max(50, len(packets["out", side]) // 100):
            differs("on the path, and not sent", side, len(left[side]), *left[side][0])
        known["segments that no program saw when they were sent"] += len(left[side])
    unseen, resets = collections.Counter(), collections.Counter()
    for segment, n in received.items():
        # A reset without a connection reaches no socket.
        if n > bad[segment]:
            (resets if segment[6] & RST else unseen)[side_of(segment[2])] += n
    for side in "cs":
        if unseen[side] > may_miss * max(5, len(packets["in", side]) // 1000):
            differs("received on the path, not by dtrace", side, unseen[side])
        known["segments that no program saw when they came"] += unseen[side]
    moved = judge_looks(said, users, changes, arrivals)
    # ---- states at the end, and counts
    sockets, want = {}, collections.Counter()
    for line in said:
        word = line.split()
        if word[0] == "load":
            want[word[1]] = int(word[2])
        if word[0] == "ss" and word[2] in SS and word[2] != "LISTEN":
            local, remote = ((plain(end.rpartition(":")[0]).partition("%")[0], int(end.rpartition(":")[2])) for end in word[5:7])
            sockets[local + remote] = SS[word[2]]
    for key, state in sockets.items():
        same("at the end", last.get(key), state, *key)
    for key, state in last.items():
        if state == "fin-wait-2" and key not in sockets:
            known["connections that the kernel forgets in FIN_WAIT_2"] += 1
        elif state not in ("closed", "listen", "time-wait") and key not in sockets:
            differs("at the end", *key, "dtrace", state, "ss none")
    for name in ("connect-established", "connect-refused", "accept-established"):
        same(name, probes[name], want[name])
    # A SYN without a listener is answered by a reset that acknowledges it.
    syns = {s[:5] for side in "cs" for s in packets["in", side] if s.flags & (SYN | ACK) == SYN}
    refused = sum((s.dst, s.dport, s.src, s.sport, s.ack - 1 & 0xFFFFFFFF) in syns for side in "cs" for s in packets["out", side]
                  if s.flags == RST | ACK and s.seq == 0)
    same("accept-refused", probes["accept-refused"], refused)
    # ---- counters
    numbers = dict(line.split() for line in open(f"{folder}/sides"))
    nstat = collections.Counter()
    for name, sign in (("before", -1), ("after", 1)):
        with open(f"{folder}/nstat.{name}") as f:
            for line in f:
                side, counter, n = line.split()
                nstat[side, counter] += sign * int(n)
    with open(f"{folder}/names") as f:
        names = [name for name in f.read().split() if not name.startswith(("Icmp", "Udp"))]
    sent = {side: amounts(packets["out", side]) for side in "cs"}
    for side in "cs":
        n, lost = sent[side], missed[side]
        want = {name: nstat[side, name] for name in names if name[0] != "t"}
        want["tcpRetransBytes"] = n[AGAIN, "bytes"]
        want["tcpOutDataBytes"] = n[NEW, "bytes"] + n[ANSWER, "bytes"]
        for name, less in (("TcpOutSegs", lost[NEW]), ("TcpRetransSegs", lost[AGAIN] + lost[ANSWER]),
                           ("tcpRetransBytes", lost[AGAIN, "bytes"]), ("tcpOutDataBytes", lost[NEW, "bytes"])):
            want[name] -= less
        for name, value in want.items():
            got = counters.get((name, numbers[side]), 0)
            # Packets of several segments.
            is_less = len(left[side]) > 0 and name in ("IpOutRequests", "IpExtOutOctets", "Ip6OutRequests", "Ip6OutOctets", "TcpOutRsts")
            is_less = is_less or unseen[side] > 0 and name in ("IpInReceives", "IpExtInOctets", "Ip6InReceives", "Ip6InOctets")
            if name == "TcpInSegs" and unseen[side]:
                value -= min(unseen[side] + resets[side], max(value - got, 0))
            same(name, value if is_less and value - got in range(1 + (len(left[side]) + unseen[side]) * 1500) else got, value, "side", side)
        # A server that sends cookies answers each SYN anew.
        answers = nstat[side, "TcpRetransSegs"] - n[AGAIN]
        if not 0 <= answers <= n[ANSWER]:
            differs("TcpRetransSegs on the path", side, "nstat", nstat[side, "TcpRetransSegs"], "segments", n[AGAIN], "answers", n[ANSWER])
    for name, n in wrong.most_common():
        print(f"# {name}: {n}")
    for name, n in known.items():
        if n:
            print(f"# known: {name}: {n}", file=sys.stderr)
    print(f"{compared} values compared, {nonzero} of them not zero, {sum(wrong.values())} wrong")
    print(f"# segments {sum(len(v) for v in packets.values())}, again {sent['c'][AGAIN] + sent['s'][AGAIN]}, "
          f"members that changed during a look {moved}", file=sys.stderr)
    sys.exit(sum(wrong.values()) > 0)


main()
