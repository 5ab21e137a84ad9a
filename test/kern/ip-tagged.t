#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# ip-tagged.t: frames whose VLAN tag is in the frame.  The kernel receives a packet whose tag has only a priority; without
# a device for the VLAN it does not receive others.
#
# guests: none
# needs: python3
. "${0%/*}/lib.sh"

net_up
dtrace_start -n "ip:::receive /args[3]->if_ipstack == $(stack_of b) && args[2]->ip_saddr == \"$a4\"/
	{ @[args[2]->ip_daddr, args[4]->ipv4_ttl] = sum(1); }"
mac=$(ip -n "$ns_b" -o link show dtb | sed 's/.*link\/ether \([0-9a-f:]*\).*/\1/')
in_net a python3 - "$a4" "$b4" "$mac" <<'END'
import socket, struct, sys
src, dst, mac = sys.argv[1:]
s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
s.bind(("dta", 0))
for tags, ttl in ((((0x8100, 0x2000),), 41), (((0x88A8, 0), (0x8100, 0)), 42), (((0x8100, 9),), 43)):
    head = bytes.fromhex(mac.replace(":", "")) + bytes.fromhex("020000000077")
    for kind, tag in tags:
        head += struct.pack("!HH", kind, tag)
    s.send(head + struct.pack("!HBBHHHBBH4s4s", 0x0800, 0x45, 0, 20, 1, 0, ttl, 255, 0, socket.inet_aton(src), socket.inet_aton(dst)))
END
dtrace_stop
is "$(value "$b4" 41)" 1 "a packet whose tag has only a priority"
is "$(value "$b4" 42)" 1 "a packet with two tags"
is "$(value "$b4" 43)" 0 "no packet of a VLAN without a device"

done_testing
