#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# ip-receive.t: packets received by source, compared with tcpdump.
#
# guests: 6.12
# needs: ping tcpdump
. "${0%/*}/lib.sh"

compare() {
	local addr want
	for addr in "$a4" "$b4" "$a6" "$b6"; do
		want=$(($(captured a "src host $addr") + $(captured lo "src host $addr")))
		positive "$want" "$1: there are packets from $addr"
		is "$(value "$addr")" "$want" "$1: packets from $addr"
	done
}

make_traffic() {
	capture_start a
	capture_start lo
	for family in 4 6; do
		traffic_run $family hello bulk refused reset-linger udp udp-closed udp-fragments
		traffic_local $family hello udp
	done
	on a ping -q -c 3 -i 0.2 "$b4" >/dev/null
	on a ping -q -c 3 -i 0.2 "$b6" >/dev/null
	capture_stop a
	capture_stop lo
}

net_up

dtrace_start -n "ip:::receive /$(ours 'args[2]->ip_saddr')/ { @[args[2]->ip_saddr] = count(); }"
has "$work/err" "description 'ip:::receive ' matched 1 probe" "the matched line"
make_traffic
dtrace_stop
compare "by address"

# The members of ifinfo_t: packets that came in on each device.
dtrace_start -n "ip:::receive /$(ours 'args[2]->ip_saddr')/ { @[args[3]->if_name] = count(); }"
make_traffic
dtrace_stop
is "$(value dta)" "$(captured a "src host ($b4 or $b6)")" "packets that came in on dta"
is "$(value dtb)" "$(captured a "src host ($a4 or $a6)")" "packets that came in on dtb"
is "$(value lo)" "$(captured lo "$src_net")" "packets that came in on lo"

done_testing
