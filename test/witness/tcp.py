#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
#
# tcp.py FOLDER: judges the lines of dtrace in FOLDER/out, and of the load in FOLDER/said.
import collections
import sys

# RFC 9293, section 3.3.2, and what Linux adds: a reset or an error closes in any state, and closing a connection that
# still connects closes it at once.
NEXT = {
    "closed": "syn-sent listen", "listen": "syn-received closed",
    "syn-sent": "established syn-received closed", "syn-received": "established fin-wait-1 close-wait closed",
    "established": "fin-wait-1 close-wait closed", "fin-wait-1": "fin-wait-2 closing time-wait closed",
    "fin-wait-2": "time-wait closed", "closing": "time-wait closed", "close-wait": "last-ack closed",
    "last-ack": "closed", "time-wait": "closed",
}
SS = {"ESTAB": "established", "SYN-SENT": "syn-sent", "SYN-RECV": "syn-received", "FIN-WAIT-1": "fin-wait-1",
      "FIN-WAIT-2": "fin-wait-2", "TIME-WAIT": "time-wait", "CLOSE-WAIT": "close-wait", "LAST-ACK": "last-ack",
      "LISTEN": "listen", "CLOSING": "closing"}


def plain(address):
    return address.strip("[]").replace("::ffff:", "")


def main():
    folder = sys.argv[1]
    compared = wrong = 0
    last = {}
    probes = collections.Counter()
    with open(f"{folder}/out") as f:
        for line in f:
            word = line.split()
            if word[:1] == ["probe"]:
                probes[word[1]] = int(word[2])
            if word[:1] != ["state"]:
                continue
            laddr, lport, raddr, rport, old, new = word[2:]
            old, new = old.replace("state-", ""), new.replace("state-", "")
            key = (plain(laddr), lport, plain(raddr), rport)
            compared += 1
            if new not in NEXT[old].split():
                print("# an impossible change:", *word)
                wrong += 1
            # Connecting begins in front of the port, a child is first seen in SYN_RECEIVED.
            if key in last and last[key] not in (old, "closed", "time-wait") and old != "listen":
                print("# a gap:", *word, "after", last[key])
                wrong += 1
            last[key] = new
    want, sockets = {}, {}
    with open(f"{folder}/said") as f:
        for line in f:
            word = line.split()
            if word[:1] == ["load"]:
                want[word[1]] = int(word[2])
            if word[:1] == ["ss"] and word[1] in SS and word[1] != "LISTEN":
                local, remote = word[4], word[5]
                key = (*(part for end in (local, remote) for part in
                         (plain(end.rpartition(":")[0]).partition("%")[0], end.rpartition(":")[2])),)
                sockets[key] = SS[word[1]]
    for name, n in sorted(want.items()):
        compared += 1
        if probes[name] != n:
            print(f"# {name}: dtrace {probes[name]}, load {n}")
            wrong += 1
    for key, state in sorted(sockets.items()):
        compared += 1
        if last.get(key) != state:
            print("# at the end:", *key, "dtrace", last.get(key), "ss", state)
            wrong += 1
    for key, state in sorted(last.items()):
        if state not in ("closed", "listen") and key not in sockets:
            print("# at the end:", *key, "dtrace", state, "ss none")
            wrong += 1
    print(f"{compared} values compared, {compared} of them not zero, {wrong} wrong")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
