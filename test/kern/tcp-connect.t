#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# tcp-connect.t: connections made, accepted and refused, with process, address and port.
#
# guests: 6.12
# needs: curl nginx ping tcpdump
. "${0%/*}/lib.sh"

net_up
nginx_start b 8080
# The published program, with our predicate.
dtrace_start -n "tcp:::accept-established /$(ours 'args[3]->tcps_raddr')/
	{ @[args[3]->tcps_raddr, args[3]->tcps_lport] = count(); }"
for i in 1 2 3; do
	ok "curl $i" test "$(on a curl -s "http://$b4:8080/small" | wc -c)" = 100
	ok "curl $i, IPv6" test "$(on a curl -s "http://[$b6]:8080/small" | wc -c)" = 100
done
before=$(nstat_value b TcpPassiveOpens)
traffic_run 4 hello worker
traffic_run 6 hello
traffic_run 4 refused
dtrace_stop
is $(($(nstat_value b TcpPassiveOpens) - before)) 3 "the kernel itself counts 3 accepted"
is "$(value "$a4" 8080)" 3 "accept-established from $a4 to port 8080"
is "$(value "$a6" 8080)" 3 "accept-established from $a6 to port 8080"
is "$(value "$a4" 7001)" 1 "accept-established from $a4 to port 7001"
is "$(value "$a4" 7006)" 1 "accept-established from $a4 to port 7006"
is "$(value "$a6" 7001)" 1 "accept-established from $a6 to port 7001"
is "$(value "$a4" 7003)" 0 "nothing for a refused connection"

saddr=$(ours 'args[2]->ip_saddr')
raddr=$(ours 'args[3]->tcps_raddr')
dtrace_start -n "tcp:::connect-request, tcp:::connect-established, tcp:::connect-refused /$raddr/
	{ @[probename, args[3]->tcps_raddr, args[3]->tcps_rport] = count(); }
	tcp:::accept-established, tcp:::accept-refused /$saddr/
	{ @ends[probename, args[2]->ip_saddr, args[2]->ip_daddr, args[4]->tcp_sport, args[4]->tcp_dport] = count();
	  @sum[probename] = count(); }
	tcp:::connect-established /$raddr/
	{ @headers[\"headers\", args[2]->ip_saddr, args[4]->tcp_sport, args[4]->tcp_flags] = count(); }"
capture_start a
for family in 4 6; do
	traffic_run $family hello refused reset-linger reset-unread timewait-reuse
done
traffic_to 4 "$dead4" - "$ns_a" dead
capture_stop a
dtrace_stop

for addr in "$b4" "$b6"; do
	for port in 7001 7004 7005; do
		is "$(value connect-request "$addr" $port)" 1 "connect-request to $addr port $port"
		is "$(value connect-established "$addr" $port)" 1 "connect-established to $addr port $port"
	done
	is "$(value connect-request "$addr" 7007)" 2 "connect-request to $addr: one address twice"
	is "$(value connect-established "$addr" 7007)" 2 "connect-established: one address twice"
	is "$(value connect-request "$addr" 7003)" 1 "connect-request to a port nobody has"
	is "$(value connect-refused "$addr" 7003)" 1 "connect-refused"
	is "$(value connect-established "$addr" 7003)" 0 "connect-established is not for refused ones"
	is "$(value headers "$addr" 7001 18)" 1 "connect-established shows the SYN-ACK"
done
is "$(value connect-request "$dead4" 7008)" 1 "connect-request once, though the SYN was repeated"
ok "the SYN was repeated" test "$(captured a "dst host $dead4 and tcp")" -gt 1
is "$(value accept-established)" 10 "accept-established for each connect-established"
is "$(value accept-refused)" 2 "accept-refused"
has "$work/out" "accept-refused +($a4 +$b4 +[0-9]+ +7003|$b4 +$a4 +7003 +[0-9]+) +1$" \
	"accept-refused: the addresses and ports"

# Both ends connect if the SYNs of two sockets cross, as if a socket connects to itself.
dtrace_start -n "tcp:::connect-established, tcp:::accept-established /$raddr && args[3]->tcps_lport == 7010/
	{ @[probename] = count(); }"
traffic_local 4 self
traffic_local 6 self
dtrace_stop
is "$(value connect-established)" 2 "connect-established of sockets that connect to themselves"
is "$(value accept-established)" 0 "no accept-established of sockets that connect to themselves"

done_testing
