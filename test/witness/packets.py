#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
#
# packets.py FOLDER: compares the lines of dtrace in FOLDER/out with the captures FOLDER/[crs].pcap.
#
# Every packet of a capture must be a line of ip:::send or ip:::receive with the same members, and the other way round.
# tcp:::send and udp:::send must have each segment and datagram that leaves its first host; tcp:::receive and
# udp:::receive have those that a socket gets, so each of their lines must be in the capture of the receiver.
import collections
import subprocess
import sys

FIELDS = {
    "ip4": "ip.hdr_len ip.dsfield ip.len ip.id ip.flags ip.frag_offset ip.ttl ip.proto ip.checksum ip.src ip.dst",
    "ip6": "ipv6.tclass ipv6.flow ipv6.plen ipv6.nxt ipv6.hlim ipv6.src ipv6.dst",
    "tcp": "tcp.srcport tcp.dstport tcp.seq_raw tcp.ack_raw tcp.hdr_len tcp.flags tcp.window_size_value tcp.checksum "
           "tcp.urgent_pointer",
    "udp": "udp.srcport udp.dstport udp.length udp.checksum",
}
MEMBERS = {
    "ip4": "ip_plength ip_saddr ip_daddr ipv4_ihl ipv4_tos ipv4_length ipv4_ident ipv4_flags ipv4_offset ipv4_ttl "
           "ipv4_protocol ipv4_checksum ipv4_saddr ipv4_daddr",
    "ip6": "ip_plength ip_saddr ip_daddr ipv6_tclass ipv6_flow ipv6_plen ipv6_nexthdr ipv6_hlim ipv6_saddr ipv6_daddr",
    "tcp": "ip_saddr ip_daddr tcp_sport tcp_dport tcp_seq tcp_ack tcp_offset tcp_flags tcp_window tcp_checksum "
           "tcp_urgent",
    "udp": "ip_saddr ip_daddr udp_sport udp_dport udp_length udp_checksum",
}
HEAD = ["sll.ifindex", "sll.pkttype", "ip.version", "ipv6.version", "frame.protocols"]
OUT, OTHERHOST = 4, 3


def number(text):
    return str(int(text, 0)) if text[:1].isdigit() and ":" not in text and text.count(".") < 2 else text


def read_capture(folder, side, devices):
    fields = HEAD + sum((FIELDS[kind].split() for kind in FIELDS), [])
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


def lines_of(row):
    """The lines that dtrace should print of a packet, with whether it has to print them."""
    network = row["frame.protocols"].split(":")[2:3]
    kind = "ip4" if network == ["ip"] and row["ip.version"] == "4" else \
        "ip6" if network == ["ipv6"] and row["ipv6.version"] == "6" else None
    if kind is None or not row["ip.dst"] + row["ipv6.dst"] or int(row["sll.pkttype"]) == OTHERHOST:
        return
    values = [number(row[name]) for name in FIELDS[kind].split()]
    if "" in values:
        return
    way = "send" if int(row["sll.pkttype"]) == OUT else "receive"
    if kind == "ip4":
        length = int(row["ip.len"]) - int(row["ip.hdr_len"])
        # Three bits, as a multiple of two; tshark's flags are a byte with the bits on top in newer versions.
        flags = int(row["ip.flags"], 0)
        values[4] = str(flags >> 5 << 1 if flags > 7 else flags << 1)
        addresses = [row["ip.src"], row["ip.dst"]]
    else:
        length = int(row["ipv6.plen"])
        addresses = [row["ipv6.src"], row["ipv6.dst"]]
    # A wrong length is the sender's; its rest is 0.
    line = (kind, str(max(length, 0)), *addresses, *values)
    yield (way, row["device"], *line), True
    # The capture has packets of the loopback device once, and no broadcasts that return to their sender.
    if row["device"] == "lo":
        yield ("send", "lo", *line), False
    if addresses[1].endswith(".255"):
        yield ("receive", row["device"], *line), False
    # An error of ICMP contains headers of the packet that it is about.
    if "icmp" in row["frame.protocols"]:
        return
    for proto in ("tcp", "udp"):
        values = [number(row[name]) for name in FIELDS[proto].split()]
        if "" in values or is_cut(proto, values):
            continue
        yield (way, "-", proto, *addresses, *values), way == "send" and is_first_host(row, addresses[0])
        if row["device"] == "lo":
            yield ("send", "-", proto, *addresses, *values), False


def is_cut(proto, values):
    """Wrong lengths: tshark stops there."""
    return int(values[4]) < 20 if proto == "tcp" else not 8 <= int(values[2]) < 9000


def is_first_host(row, source):
    return {".1.1": "c", ":1::1": "c", ".2.2": "s", ":2::2": "s"}.get(source[source.find("." if "." in source else ":", 3):],
                                                                     "r") == row["side"]


def main():
    folder = sys.argv[1]
    devices = {}
    with open(f"{folder}/devices") as f:
        for line in f:
            side, index, name = line.split()
            devices[side, index] = name
    want, may = collections.Counter(), collections.Counter()
    for side in "crs":
        for row in read_capture(folder, side, devices):
            for line, has_to in lines_of(row):
                (want if has_to else may)[line] += 1
    got = collections.Counter()
    with open(f"{folder}/out") as f:
        for line in f:
            if "|" not in line:
                continue
            line = tuple(line.rstrip("\n").split("|"))
            if line[2] not in ("tcp", "udp") or not is_cut(line[2], line[5:]):
                got[line] += 1
    # The kernel discovers neighbours at any time, also while only the capture runs; the hop limit is 255 then
    # (RFC 4861).
    missing = collections.Counter({line: n for line, n in (want - got).items()
                                   if not (line[2] == "ip6" and line[10] == "255")})
    extra = got - want - may
    values = sum((len(line) - 3) * n for line, n in got.items())
    wrong = collections.Counter()
    shown = collections.Counter()
    for line in missing:
        shown[line[:3]] += 1
        if shown[line[:3]] <= 4:
            print("# missing:", *line)
    for line in extra:
        shown[line[:3], 1] += 1
        if shown[line[:3], 1] <= 4:
            print("# not in the capture:", *line)
        near = [other for other in missing if other[:3] == line[:3]]
        if near:
            best = max(near, key=lambda other: sum(a == b for a, b in zip(other, line)))
            names = MEMBERS[line[2]].split()
            for name, a, b in zip(names, best[3:], line[3:]):
                wrong[f"{line[2]} {name}"] += a != b
        else:
            wrong[line[2] + " packet"] += 1
    for line in missing:
        wrong[line[2] + " missing"] += missing[line]
    for name, n in wrong.most_common():
        if n:
            print(f"# {name}: {n}")
    bad = sum(missing.values()) + sum(extra.values())
    print(f"{values} values compared, {sum(got.values())} packets, {bad} wrong")
    sys.exit(bad > 0)


main()
