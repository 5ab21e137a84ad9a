#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# mib.t: the mib provider, compared with nstat in the test's own network namespace.
#
# guests: 6.12
# needs: ping
. "${0%/*}/lib.sh"

net_up

tcp='ActiveOpens PassiveOpens AttemptFails EstabResets InSegs OutSegs RetransSegs OutRsts'
names=$(printf 'Tcp%s ' $tcp)
names+='UdpInDatagrams Udp6InDatagrams UdpOutDatagrams Udp6OutDatagrams UdpNoPorts Udp6NoPorts '
names+='IpInReceives Ip6InReceives IpOutRequests Ip6OutRequests '
for name in InMsgs OutMsgs InEchos OutEchos InEchoReps OutEchoReps InDestUnreachs OutDestUnreachs; do
	names+="Icmp$name "
done

# counters: prints the sums over both ends, because dtrace sees both.
counters() {
	local side
	for side in a b; do
		in_net $side nstat -asz
	done | awk '/^[A-Z]/ { n[$1] += $2 } END { for (name in n) print name, n[name] }'
}

# shellcheck disable=SC2012
stacks=$(ls -Li "/run/netns/$ns_a" "/run/netns/$ns_b" | awk '{ print $1 }' | paste -sd ' ')
mine="(args[1] == ${stacks% *} || args[1] == ${stacks#* })"
program=
for name in $names; do
	program+="mib:::$name /$mine/ { @[probename] = sum(args[0]); }"$'\n'
done

# grown NAME [outer]: prints how much the counter of the namespaces grew during tracing, or with "outer" from before
# it began until it had ended.  Packets can come at any time.
grown() {
	awk -v name="$1" '$1 == name { n = $2 - n } END { print n + 0 }' "$work/${2:-inner}1" "$work/${2:-inner}2"
}

# same NAME COUNTER
same() {
	between "$(value "$1")" "$(grown "$2")" "$(grown "$2" outer)" "$1 is $2"
}

counters >"$work/outer1"
dtrace_start -n "$program" || done_testing
counters >"$work/inner1"
for family in 4 6; do
	traffic_run $family hello bulk refused reset-linger timewait-reuse udp udp-closed udp-fragments
done
traffic_local 4 hello udp
on a ping -q -c 3 -i 0.2 "$b4" >/dev/null
on a ping -q -c 2 -i 0.2 "$b6" >/dev/null
counters >"$work/inner2"
dtrace_stop
counters >"$work/outer2"

for name in $names; do
	same "$name" "$name"
done
for name in TcpActiveOpens TcpOutRsts TcpOutSegs UdpNoPorts Udp6InDatagrams IcmpInEchos IcmpOutDestUnreachs Ip6InReceives; do
	positive "$(grown "$name")" "there were such: $name"
done

# The classic names; and segments that are retransmitted to an address that does not answer.
classic='tcpActiveOpens tcpOutSegs tcpRetransSegs udpOutDatagrams ipOutRequests icmpOutMsgs'
program=
for name in $classic; do
	program+="mib:::$name /$mine/ { @[probename] = sum(args[0]); }"$'\n'
done
counters >"$work/outer1"
dtrace_start -n "$program" || done_testing
counters >"$work/inner1"
traffic_run 4 hello udp
retransmits a bash -c "</dev/tcp/$dead4/7" 2>/dev/null
counters >"$work/inner2"
dtrace_stop
counters >"$work/outer2"
for name in $classic; do
	same "$name" "${name^}"
done
positive "$(grown TcpRetransSegs)" "there were segments that were sent again"

# Published scripts name the function.
is "$("$dtrace" -ln 'mib::icmp_*:' 2>&1 | awk '/icmp_/ { print $NF }' | sort | xargs)" \
	"icmpInDestUnreachs icmpInEchoReps icmpInEchos icmpInMsgs icmpOutDestUnreachs icmpOutEchoReps icmpOutEchos icmpOutMsgs" \
	"functions of icmp counters"

done_testing
