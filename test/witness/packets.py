#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
#
# packets.py FOLDER: compares the lines of dtrace in FOLDER/lines with the captures FOLDER/[crs].pcap and FOLDER/events.
#
# Every packet of a capture must be a line of ip:::send or ip:::receive with the same members, and the other way round.
# The send probes of transport protocols must have each segment and datagram that leaves its first host.  The receive probes have
# those that a socket gets, so each of their lines must be in the capture of the receiver.  A line that the kernel cuts
# into segments before the capture must be the sum of these.  Each line of a dropped packet must be an event
# skb:kfree_skb with the same packet and reason.
import collections
import re
import socket
import struct
import subprocess
import sys

FIELDS = {
    "ip4": "ip.hdr_len ip.dsfield ip.len ip.id ip.flags ip.frag_offset ip.ttl ip.proto ip.checksum ip.src ip.dst",
    "ip6": "ipv6.tclass ipv6.flow ipv6.plen ipv6.nxt ipv6.hlim ipv6.src ipv6.dst",
    "tcp": "tcp.srcport tcp.dstport tcp.seq_raw tcp.ack_raw tcp.hdr_len tcp.flags tcp.window_size_value tcp.checksum "
           "tcp.urgent_pointer",
    "udp": "udp.srcport udp.dstport udp.length udp.checksum",
    "udplite": "udp.srcport udp.dstport udp.checksum_coverage udp.checksum",
    "sctp": "sctp.srcport sctp.dstport sctp.verification_tag sctp.checksum",
}
HEAD = "ip_ver ip_plength ip_saddr ip_daddr "
MEMBERS = {
    "ip4": HEAD + "ipv4_ver ipv4_ihl ipv4_tos ipv4_length ipv4_ident ipv4_flags ipv4_offset ipv4_ttl ipv4_protocol "
           "ipv4_protostr ipv4_checksum ipv4_src ipv4_dst ipv4_saddr ipv4_daddr if_local",
    "ip6": HEAD + "ipv6_ver ipv6_tclass ipv6_flow ipv6_plen ipv6_nexthdr ipv6_nextstr ipv6_hlim ipv6_src ipv6_dst "
           "ipv6_saddr ipv6_daddr if_local",
    "tcp": HEAD + "tcp_sport tcp_dport tcp_seq tcp_ack tcp_offset tcp_flags tcp_window tcp_checksum tcp_urgent",
    "udp": HEAD + "udp_sport udp_dport udp_length udp_checksum",
    "udplite": HEAD + "udplite_sport udplite_dport udplite_coverage udplite_checksum",
    "sctp": HEAD + "sctp_sport sctp_dport sctp_verify sctp_checksum",
}
PROTOCOLS = {0: "IP", 1: "ICMP", 2: "IGMP", 6: "TCP", 8: "EGP", 17: "UDP", 41: "IPv6", 43: "ROUTE", 50: "ESP", 51: "AH",
             58: "ICMPv6", 89: "OSPF", 132: "SCTP", 255: "RAW"}
# Members in which the packet differs from its first segment.
CUT = {"ip_plength", "ipv4_length", "ipv4_checksum", "ipv6_plen", "tcp_flags", "tcp_checksum"}
ROW = ["sll.ifindex", "sll.pkttype", "ip.version", "ipv6.version", "frame.protocols", "frame.len"]
OUT, OTHERHOST = 4, 3


def number(text):
    return str(int(text, 0)) if text[:1].isdigit() and ":" not in text and text.count(".") < 2 else text


def read_capture(folder, side, devices):
    fields = list(dict.fromkeys(ROW + sum((FIELDS[kind].split() for kind in FIELDS), [])))
    command = ["tshark", "-r", f"{folder}/{side}.pcap", "-T", "fields", "-E", "occurrence=f", "-E", "separator=|"]
    for name in ("ip.defragment", "ipv6.defragment", "tcp.desegment_tcp_streams", "tcp.relative_sequence_numbers",
                 "tcp.analyze_sequence_numbers", "udp.process_info"):
        command += ["-o", name + ":FALSE"]
    for field in fields:
        command += ["-e", field]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    for line in text.splitlines():
        row = dict(zip(fields, line.split("|")))
        row["device"] = devices[side, row["sll.ifindex"]]
        row["side"] = side
        yield row


class Devices(dict):
    """Names of devices by side and index.  A packet that passes devices on top of each other has the top one."""

    def __init__(self, folder):
        super().__init__()
        self.side, self.above = {}, {}
        with open(f"{folder}/devices") as f:
            for line in f:
                side, stack, index, name, *below = line.split()
                self[side, index] = stack + " " + name
                self.side[stack] = side
                if below and below[0].startswith(">"):
                    self.above[stack + " " + name] = stack + " " + below[0][1:]
                elif below and not name.endswith("9"):
                    self.above[stack + " " + below[0]] = stack + " " + name

    def top(self, device):
        while device in self.above:
            device = self.above[device]
        return device


def lines_of(row, variant):
    """The lines that dtrace should print of a packet, with whether it has to print them."""
    layers = [name for name in row["frame.protocols"].split(":")
              if name not in ("sll", "ethertype") and not name.startswith("ipv6.")]
    kind = "ip4" if layers[:1] == ["ip"] and row["ip.version"] == "4" else \
        "ip6" if layers[:1] == ["ipv6"] and row["ipv6.version"] == "6" else None
    if kind is None or not row["ip.dst"] + row["ipv6.dst"] or int(row["sll.pkttype"]) == OTHERHOST:
        return
    values = [number(row[name]) for name in FIELDS[kind].split()]
    if "" in values:
        return
    way = "send" if int(row["sll.pkttype"]) == OUT else "receive"
    is_lo = row["device"].endswith(" lo")
    if kind == "ip4":
        length = int(row["ip.len"]) - int(row["ip.hdr_len"])
        # Three bits, as a multiple of two; tshark's flags are a byte with the bits on top in newer versions.
        flags = int(row["ip.flags"], 0)
        values[4] = str(flags >> 5 << 1 if flags > 7 else flags << 1)
        addresses = [row["ip.src"], row["ip.dst"]]
        values[9:9] = [str(struct.unpack("!I", socket.inet_aton(a))[0]) for a in addresses]
        values[8:8] = [PROTOCOLS.get(int(values[7]), values[7])]
    else:
        length = int(row["ipv6.plen"])
        addresses = [row["ipv6.src"], row["ipv6.dst"]]
        values[5:5] = addresses
        values[4:4] = [PROTOCOLS.get(int(values[3]), values[3])]
    # A wrong length is the sender's; its rest is 0.
    head = kind[2], str(max(length, 0)), *addresses
    line = (kind, *head, kind[2], *values, str(int(is_lo)))
    # The kernel discovers neighbours inside of a tunnel at any time, also while only the capture runs.
    is_load = not ("arp" in layers or "icmpv6" in layers and "ipv6" in layers[1:])
    yield (way, row["device"], *line), is_load
    # The capture has packets of the loopback device once, and no broadcasts that return to their sender.
    if is_lo:
        yield ("send", row["device"], *line), False
    if addresses[1].endswith(".255"):
        yield ("receive", row["device"], *line), False
    proto = layers[1] if len(layers) > 1 else ""
    if proto not in ("tcp", "udp", "udplite", "sctp"):
        return
    values = [number(row[name]) for name in FIELDS[proto].split()]
    if "" in values or is_cut(proto, values):
        return
    # Sockets get fragments as one packet; its length is that of the datagram.  The length of UDP-Lite is in no header.
    if way == "receive" and (kind == "ip4" and flags & 0x21 or ":ipv6.fraghdr" in row["frame.protocols"]):
        head = kind[2], values[2] if proto == "udp" else "*", *addresses
    # The router sends packets of the client with its own address: no segment of its own.
    values = without_sum(way, proto, values, variant)
    yield (way, "-", proto, *head, *values), is_load and way == "send" and is_first_host(row, addresses[0]) and \
        not (variant == "snat" and row["side"] == "r")
    if is_lo:
        yield ("send", "-", proto, *head, *values), False


def without_sum(way, proto, values, variant):
    """Without offload the kernel completes checksums between the probe and the capture."""
    at = MEMBERS[proto].split().index(proto + "_checksum") - 4
    return [*values[:at], "-", *values[at + 1:]] if variant == "segments" and way == "send" else values


def is_cut(proto, values):
    """Wrong lengths: tshark stops there."""
    return int(values[4]) < 20 if proto == "tcp" else proto == "udp" and not 8 <= int(values[2]) < 9000


def is_first_host(row, source):
    return {".1.1": "c", ":1::1": "c", ".2.2": "s", ":2::2": "s", ".9.1": "c", ":9::1": "c", ".3.3": "", ":3::3": ""}.get(
        source[source.find("." if "." in source else ":", 3):], "r") == row["side"]


def plain(address):
    return address[7:] if address.startswith("::ffff:") else address


def check_socket(line, wrong):
    """The socket's members are those of the header, or 0 where the socket is bound to no address."""
    way, _, proto, _, _, src, dst, sport, dport, *_ = line
    has, lport, rport, laddr, raddr = line[-5:]
    if has == "0":
        return 0
    want = (sport, dport, src, dst) if way == "send" else (dport, sport, dst, src)
    for name, got, value in zip(("lport", "rport", "laddr", "raddr"), (lport, rport, laddr, raddr), want):
        if plain(got) not in (value, "0", "0.0.0.0", "::"):
            wrong[f"{proto} {proto}s_{name}"] += 1
            print("# socket:", name, *line)
    return 4


class Segments:
    """Captured TCP segments, by the packet that they were cut from."""

    def __init__(self, missing):
        self.missing = missing
        self.at = collections.defaultdict(list)

    def add(self, line, seq, payload):
        self.at[line[:3] + line[5:7] + (seq,)].append((line, payload))

    def take(self, line, seq, header):
        """Removes the segments of a packet of dtrace from the missing ones.  Returns the first, or None."""
        taken, rest = [], int(line[4]) - header
        while rest > 0:
            found = [(part, n) for part, n in self.at[line[:3] + line[5:7] + (str(seq % (1 << 32)),)]
                     if 0 < n <= rest and self.missing[part] > 0]
            if not found:
                return None
            taken.append(found[0][0])
            rest -= found[0][1]
            seq += found[0][1]
        self.missing.subtract(taken)
        return taken[0] if taken else None


def check_drops(folder, drops, devices):
    """Lines of dtrace that are no event of the kernel."""
    reasons, events = {}, collections.Counter()
    with open(f"{folder}/reasons") as f:
        for value, name in re.findall(r'{ (\d+), "(\w+)" }', f.read()):
            reasons[name] = value
    with open(f"{folder}/events") as f:
        for address, reason in re.findall(r"skbaddr=(?:0x)?([0-9a-f]+) .*reason: (\w+)", f.read()):
            events[address.lstrip("0"), reasons.get(reason)] += 1
    # Linux 6.1 lists the names of reasons without numbers.
    lines = collections.Counter((line[3], line[4] if reasons else None) for line in drops)
    return list((lines - events).elements())


def main():
    folder = sys.argv[1]
    devices = Devices(folder)
    with open(f"{folder}/variant") as f:
        variant = f.read().strip()
    want, may = collections.Counter(), collections.Counter()
    segments = []
    for side in "crs":
        for row in read_capture(folder, side, devices):
            if devices.top(row["device"]) != row["device"]:
                # A group's packets reach the device below, too.
                if int(row["sll.pkttype"]) in (1, 2):
                    for line, _ in lines_of(dict(row, device=devices.top(row["device"])), variant):
                        may[line] += 1
                continue
            for line, has_to in lines_of(row, variant):
                (want if has_to else may)[line] += 1
                if row["tcp.seq_raw"] and row["tcp.hdr_len"] and line[2] in ("ip4", "ip6", "tcp"):
                    header = int(row["tcp.hdr_len"])
                    segments.append((line, row["tcp.seq_raw"], int(line[4]) - header, header))
    got, keys, drops = collections.Counter(), {}, []
    wrong = collections.Counter()
    values = 0
    with open(f"{folder}/lines") as f:
        for text in f:
            if "|" not in text:
                continue
            line = tuple(text.rstrip("\n").split("|"))
            if line[2] == "drop":
                drops.append(line)
                values += 1
                continue
            if line[2] in ("ip4", "ip6"):
                line, key = (line[0], devices.top(line[1]), *line[2:-1]), line[-1]
                keys[line] = key
            else:
                if is_cut(line[2], line[7:-5]):
                    continue
                values += check_socket(line, wrong)
                line = (*line[:7], *without_sum(line[0], line[2], line[7:-5], variant))
            got[line] += 1
            values += len(line) - 3
    # The kernel discovers neighbours at any time, also while only the capture runs; the hop limit is 255 then
    # (RFC 4861).  It reports groups by packets with options for routers, which come at any time, too.
    missing = collections.Counter({line: n for line, n in (want - got).items()
                                   if not (line[2] == "ip6" and (line[13] == "255" or line[11] == "0"))})
    extra = got - want - may
    left = Segments(missing)
    for line, seq, payload, _ in segments:
        left.add(line, seq, payload)
    header = {line[5:7] + (seq,): n for line, seq, _, n in segments}
    shown = collections.Counter()
    parts = 0

    def differs(line, other, but=frozenset()):
        for name, a, b in zip(MEMBERS[line[2]].split(), other[3:], line[3:]):
            if name not in but and a != b:
                wrong[f"{line[2]} {name}"] += 1

    for line in list(extra):
        if line[4] != "*" and (*line[:4], "*", *line[5:]) in may:
            extra[line] = 0
    for line in list(extra.elements()):
        seq = keys.get(line) if line[2] in ("ip4", "ip6") else line[9] if line[2] == "tcp" else None
        size = header.get(line[5:7] + (seq,)) if seq else None
        if size:
            first = left.take(line, int(seq), size)
            if first:
                parts += 1
                extra[line] -= 1
                differs(line, first, CUT)
    extra, missing = +extra, +missing
    for line in missing:
        shown[line[:3]] += 1
        if shown[line[:3]] <= 4:
            print("# missing:", *line)
        wrong[line[2] + " missing"] += missing[line]
    for line in extra:
        shown[line[:3], 1] += 1
        if shown[line[:3], 1] <= 4:
            print("# not in the capture:", *line)
        near = [other for other in missing if other[:3] == line[:3]]
        if near:
            differs(line, max(near, key=lambda other: sum(a == b for a, b in zip(other, line))))
        else:
            wrong[line[2] + " packet"] += extra[line]
    for line in check_drops(folder, drops, devices):
        print("# no such event:", *line)
        wrong["drop"] += 1
    for name, n in wrong.most_common():
        if n:
            print(f"# {name}: {n}")
    bad = sum(wrong.values())
    print(f"{values} values compared, {sum(got.values())} packets, {parts} of them cut, {len(drops)} drops, "
          f"path {variant}, {bad} wrong")
    sys.exit(bad > 0)


main()
