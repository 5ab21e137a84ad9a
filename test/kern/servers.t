#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# servers.t: widely used programs: nginx and curl, iperf3, netcat; bytes by port and by process.
#
# guests: 6.1
# needs: curl iperf3 nc nginx ping tcpdump
. "${0%/*}/lib.sh"

net_up
nginx_start b 8080
nginx=$started
iperf_start b 5201
nc_start b 9000
nc_start b 9001 -u
nginx_worker=$(awk '{ print $1 }' "/proc/$nginx/task/$nginx/children" 2>/dev/null)

saddr=$(ours 'args[2]->ip_saddr')
dtrace_start -q -n "tcp:::send /$saddr/
	{ @from[\"from\", args[4]->tcp_sport, args[2]->ip_saddr] = sum(args[2]->ip_plength - args[4]->tcp_offset);
	  @to[\"to\", args[4]->tcp_dport, args[2]->ip_saddr] = sum(args[2]->ip_plength - args[4]->tcp_offset);
	  @[\"segments\"] = count(); }
	tcp:::receive /$saddr/ { @[\"received\"] = count(); }
	tcp:::send /$saddr && args[4]->tcp_sport == 8080 && args[2]->ip_plength > args[4]->tcp_offset/
	{ @pid[\"pid\", args[1]->cs_pid] = count(); @[\"with data\"] = count(); }
	tcp:::send /$saddr && args[4]->tcp_dport == 8080/ { @pid[\"client\", args[1]->cs_pid] = count(); }
	udp:::send /$saddr && args[4]->udp_dport == 9001/ { @to9001[\"datagrams\", args[2]->ip_saddr] = count(); }"
capture_start a
start a curl -s -o "$work/large" "http://$b4:8080/large"
curl=$started
wait "$curl"
is "$(stat -c %s "$work/large" 2>/dev/null || wc -c <"$work/large")" 1000000 "curl gets the file"
is "$(on a curl -s "http://[$b6]:8080/large" | wc -c)" 1000000 "curl gets the file, IPv6"
for addr in "$b4" "$b6"; do
	on a iperf3 -c "$addr" -n 20M >"$work/iperf"
	is $? 0 "iperf3 to $addr"
done
head -c 12345 /dev/zero | on a nc -n -N "$b4" 9000
head -c 321 /dev/zero | on a nc -n -u -q 0 "$b6" 9001
capture_stop a
dtrace_stop

is "$(value segments)" "$(captured a tcp)" "all segments sent are counted"
is "$(value received)" "$(captured a tcp)" "all segments received are counted"
for port in 8080 5201; do
	for addr in "$b4" "$b6"; do
		is "$(value from $port "$addr")" "$(payload_sum a "tcp src port $port and src host $addr")" \
			"bytes from $addr port $port"
	done
	for addr in "$a4" "$a6"; do
		want=$(payload_sum a "tcp dst port $port and src host $addr")
		positive "$want" "there are bytes to port $port from $addr"
		is "$(value to $port "$addr")" "$want" "bytes to port $port from $addr"
	done
done
is "$(value to 9000 "$a4")" 12345 "bytes to nc"
is "$(value datagrams "$a6")" "$(captured a 'udp dst port 9001')" "datagrams to nc"
positive "$(value client "$curl")" "segments of curl have its process"
data=$(awk '$1 == "with" { print $3 }' "$work/out")
if [ -n "$nginx_worker" ]; then
	is $(($(value pid "$nginx_worker") + $(value pid "$nginx"))) "$data" "segments of nginx have its process"
fi

done_testing
