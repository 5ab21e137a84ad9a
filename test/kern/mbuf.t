#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# mbuf.t: memory of packets in the sdt provider: datagrams sent to an unused address (test/kern/events.c), clones
# that tcpdump receives, and everything that connections leave.
# needs: ping tcpdump
. "${0%/*}/lib.sh"

n=40

# Each datagram is one buffer, allocated by a caller that can sleep.
sending='
syscall::sendto:entry /pid == $target && arg2 == 100/ { self->in = 1; }
syscall::sendto:return { self->in = 0; }'

net_up
capture_start a
dtrace_run -q -c "nsenter --net=/run/netns/$ns_a -- $top/build/test-events send $n $dead4 wait" -n "$sending"'
sdt:::m-init /self->in && args[1] == M_WAITOK/ { @init["init", args[2]] = count(); }
sdt:::m-getcl /self->in && args[0] == M_WAITOK && args[3]->mbuf_addr == arg3/
{ mine[arg3] = 1; @getcl["getcl", mbufflags_string[args[2]]] = count(); }
sdt:::m-get /self->in/ { mine[arg2] = 2; @get["get", args[1] == MT_DATA] = count(); }
sdt:::m-freem /mine[args[0]->mbuf_addr] == 1/ { @freem["freem", args[0]->m_len] = count(); }
sdt:::m-free /mine[arg0]/ { freed++; @free["free", mine[arg0]] = count(); mine[arg0] = 0; }
tick-10 /freed == '$((2 * n))'/ { exit(0); } tick-60s { exit(0); }'
capture_stop a
ok "dtrace ends well and drops nothing" dtrace_is_quiet kmem_cache_free
has "$work/out" "^own $n\$" "the datagrams are sent"
is "$(value init 1)" $n "m-init: each datagram"
is "$(value getcl M_EXT)" $n "m-getcl: each datagram"
# The headers of Ethernet, IP and UDP, and 100 bytes.
is "$(value freem 128)" $n "m-freem: each is thrown away"
is "$(value free 1)" $n "m-free: each is freed"
is "$(captured a "udp and dst host $dead4")" $n "tcpdump sees the datagrams"
is "$(value get 1)" $n "m-get: it is given a clone of each"
is "$(value free 2)" $n "m-free: each clone is freed"

# The example of the tutorial.
if fast_here "stacks"; then
	dtrace_run -q -c "$top/build/test-events send 1 127.0.0.1" -n '
	sdt:::m-getcl /arg0 == 2 && pid == $target/ { @[stack()] = count(); }'
	has "$work/out" 'vmlinux`(__alloc_skb|alloc_skb|sock_alloc_send)' "who waits for buffers: the stacks"
fi

may_probe_functions || { skip "all buffers of connections" "the kernel lets no functions be traced"; done_testing; }
# Some buffers wait for the processor that made them, which frees them when it next handles packets.
dtrace_start -q -n 'sdt:::m-init /(execname == "tserver" || execname == "tclient") && progenyof('$$')/ { live[arg0] = 1; made++; }
fbt::skb_attempt_defer_free:entry /live[arg0] == 1/ { live[arg0] = 2; waiting++; }
sdt:::m-free /live[arg0]/ { waiting -= live[arg0] == 2; live[arg0] = 0; freed++; }
tick-2 { printf("made %d left %d\n", made, made - freed - waiting); }' || done_testing
traffic_run 4 hello bulk udp udp-fragments
none_is_left() {
	[[ $(tail -n 1 "$work/out") =~ ^made\ [1-9][0-9]*\ left\ 0$ ]]
}
ok "all buffers of connections are freed" wait_for 15 none_is_left || note "$(tail -n 1 "$work/out")"
dtrace_stop __alloc_skb:return

done_testing
