#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# tcp-port.t: a socket that gets its local port by connecting has the port already in the change to syn-sent, which
# comes before connect-request.  A connection for which no port is left goes back to closed.
#
# guests: 6.12
# needs: ping
. "${0%/*}/lib.sh"

program='tcp:::state-change
{ printf("step %d %d %s>%s %d\n", args[3]->tcps_rport, args[3]->tcps_lport,
    tcp_state_string[args[5]->tcps_state], tcp_state_string[args[3]->tcps_state], args[1]->cs_pid); }
tcp:::connect-request
{ printf("step %d %d request %d\n", args[3]->tcps_rport, args[4]->tcp_sport, args[1]->cs_pid); }'

# steps REMOTE-PORT PID: prints "port" or "none", as the local port is known; it never changes.
steps() {
	awk -v rport="$1" -v pid="$2" '$1 == "step" && $2 == rport && $5 == pid {
		if ($3 && port && $3 != port)
			print "changes"
		port = $3 ? $3 : port
		gsub("state-", "", $4)
		printf "%s%s %s", sep, $3 ? "port" : "none", $4
		sep = ", "
	}' "$work/out"
}

start="port closed>syn-sent, port request"
wants=() whats=() ports=() pids=()

# expect CASE PORT TEXT STEPS: checks the client of the last traffic.
expect() {
	pids+=("$(traffic_pid "$1" client)")
	ports+=("$2")
	whats+=("$3")
	wants+=("$4")
}

net_up
dtrace_start -q -x cgroup="$cgroup" -n "$program" || done_testing
for to in "4 $b4" "6 $b6" "6 ::ffff:$b4"; do
	# shellcheck disable=SC2086
	traffic_to $to "$ns_b" "$ns_a" hello
	expect hello 7001 "a connection to ${to#* }" "$start, port syn-sent>established, \
port established>fin-wait-1, port fin-wait-1>fin-wait-2, port fin-wait-2>time-wait"
done
traffic_to 4 "$dead4" - "$ns_a" dead
expect dead 7008 "a connection that nobody answers" "$start, port syn-sent>closed"
for family in 4 6; do
	traffic_local $family self
	expect self 7010 "IPv$family: a socket connected to itself" \
		"$start, port syn-sent>syn-received, port syn-received>established"
done
in_net a bash -c 'echo 40000 40000 >/proc/sys/net/ipv4/ip_local_port_range'
for family in 4 6; do
	traffic_run $family no-port
	expect no-port 7009 "IPv$family: no port is left" \
		"$start, port syn-sent>established, none closed>syn-sent, none syn-sent>closed"
done
dtrace_stop
for i in "${!wants[@]}"; do
	is "$(steps "${ports[i]}" "${pids[i]}" | head -c ${#wants[i]})" "${wants[i]}" "${whats[i]}"
done

dtrace_start -q -x cgroup="$cgroup" -n 'tcp:::state-change /args[3]->tcps_state == TCP_STATE_SYN_SENT/
	{ @[stack(1), "who", execname] = count(); }'
traffic_run 4 hello
traffic_run 6 refused
dtrace_stop
has "$work/out" '`tcp_connect\+0x' "the stack begins where a connection is made"
has "$work/out" '^ +who +tclient +2$' "it is made by its process"

done_testing
