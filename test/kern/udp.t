#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# udp.t: datagrams by destination port, sizes and processes; also traffic of a real name server.
#
# guests: 6.12
# needs: dig dnsmasq ping tcpdump
. "${0%/*}/lib.sh"

net_up
dns_start b
# The published program, with our predicate.
dtrace_start -n "udp:::send /$(ours 'args[2]->ip_saddr')/ {@[args[4]->udp_dport] = count();}"
has "$work/err" "description 'udp:::send ' matched 1 probe" "the matched line"
capture_start a
for _ in 1 2 3 4; do
	is "$(on a dig +short +tries=1 "@$b4" one.example.test)" 192.0.2.1 "a name is found"
	is "$(on a dig +short +tries=1 "@$b6" AAAA one.example.test)" 2001:db8::1 "a name is found, IPv6"
done
traffic_run 4 udp udp-unconnected udp-closed
traffic_run 6 udp udp-unconnected udp-closed
capture_stop a
dtrace_stop
is "$(captured a 'udp dst port 53')" 8 "tcpdump sees 8 questions"
is "$(value 53)" 8 "datagrams to port 53"
for port in 7011 7012 7013; do
	is "$(value $port)" "$(captured a "udp dst port $port")" "datagrams to port $port"
done
is "$(awk 'NF == 2 && $1 ~ /^[0-9]+$/ { sum += $2 } END { print sum }' "$work/out")" \
	"$(captured a udp)" "datagrams to all ports, the answers too"

saddr=$(ours 'args[2]->ip_saddr')
dtrace_start -n "udp:::send, udp:::receive /$saddr/
	{ @[probename, args[2]->ip_saddr, args[4]->udp_dport] = count();
	  @bytes[\"bytes\", probename, args[2]->ip_saddr, args[4]->udp_dport] = sum(args[4]->udp_length - 8);
	  @pid[\"pid\", probename, args[4]->udp_dport, args[1]->cs_pid] = count(); }
	udp:::receive /$saddr/
	{ @ports[\"ports\", args[3]->udps_laddr, args[3]->udps_lport] = count(); }"
# got PREFIX: prints the number of received datagrams, including those to ports without a listener.
got() {
	echo $(($(nstat_value b "$1InDatagrams") + $(nstat_value b "$1NoPorts")))
}

before=$(got Udp)
before6=$(got Udp6)
traffic_run 4 udp udp-unconnected udp-closed udp-gso
cp "$work/traffic" "$work/traffic.4"
traffic_run 6 udp udp-unconnected udp-closed udp-gso
dtrace_stop
for addr in "$a4" "$a6"; do
	for port in 7011 7012; do
		is "$(value send "$addr" $port)" 1 "udp:::send from $addr to $port"
		is "$(value receive "$addr" $port)" 1 "udp:::receive from $addr to $port"
		is "$(value bytes send "$addr" $port)" 30 "bytes sent from $addr to $port"
		is "$(value bytes receive "$addr" $port)" 30 "bytes received from $addr to $port"
	done
	is "$(value send "$addr" 7013)" 1 "udp:::send to a port nobody has"
	is "$(value receive "$addr" 7013)" 1 "udp:::receive for a port nobody has"
	is "$(value bytes receive "$addr" 7013)" 33 "bytes received for it"
	is "$(value bytes receive "$addr" 7014)" 8000 "bytes received of a segmented datagram"
done
is "$(value pid receive 7013 -1)" 2 "nobody received them"
has "$work/out" '^ +ports +<unknown> +0 +2$' "they have no socket"
received=$(($(got Udp) - before))
is "$(awk -v addr="$a4" '$1 == "receive" && $2 == addr { sum += $4 } END { print sum }' "$work/out")" \
	$received "udp:::receive is what the kernel counts"
received=$(($(got Udp6) - before6))
is "$(awk -v addr="$a6" '$1 == "receive" && $2 == addr { sum += $4 } END { print sum }' "$work/out")" \
	$received "udp:::receive is what the kernel counts, IPv6"
for file in traffic traffic.4; do
	cp "$work/$file" "$work/traffic" 2>/dev/null
	is "$(value pid send 7011 "$(traffic_pid udp client)")" 1 "udp:::send has the client's process"
	is "$(value pid receive 7011 "$(traffic_pid udp server)")" 1 "udp:::receive has the server's process"
	is "$(value pid send 7012 "$(traffic_pid udp-unconnected client)")" 1 \
		"udp:::send has the process of an unconnected socket"
done

# In some kernels, cgroup hooks lack credentials, thread-locals and stacks.
dtrace_start -n "udp:::receive /$saddr && args[4]->udp_dport == 7011/
	{ self->n++; @[\"asked\", self->n, uid, gid, stackdepth > 2, caller != 0] = count();
	  @s[stack(40)] = count(); @u[ustack()] = count(); }"
traffic_run 4 udp
dtrace_stop
is "$(value asked 1 0 0 1 1)" 1 "udp:::receive has credentials, thread-locals and stacks"
has "$work/out" '`udp_[a-z_]*rcv[a-z_]*\+0x' "the stack has the function that receives"

# Thread-locals of this size are found late, and programs are compiled again.
dtrace_run -qx strsize=64k -n 'BEGIN { self->a = "a"; exit(0); } udp:::receive { self->b = execname; }'
is "$status $(cat "$work/err")" "0 " "udp:::receive with large thread-locals"

done_testing
