#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# macvlan.t: frames for addresses of other hosts.  They are received only if a device on top has the address.
#
# guests: 6.1
# rows: dev_takes
# needs: ping
. "${0%/*}/lib.sh"

net_up
ip -n "$ns_b" link add dtm link dtb type macvlan mode bridge 2>"$work/trial" || kernel_lacks macvlan
m4=198.19.$net_number.2
ip -n "$ns_b" link set dtm address 02:00:00:00:00:77
ip -n "$ns_b" addr add "$m4/24" dev dtm
ip -n "$ns_b" link set dtm up
ip -n "$ns_a" addr add "198.19.$net_number.1/24" dev dta
ip -n "$ns_a" neigh replace "$m4" lladdr 02:00:00:00:00:77 dev dta
ip -n "$ns_a" neigh replace "$dead4" lladdr 02:00:00:00:00:78 dev dta
wait_for 20 on a ping -q -c 1 -W 1 "$m4"

dtrace_start -n "
	ip:::receive /args[2]->ip_daddr == \"$m4\" || args[2]->ip_daddr == \"$dead4\"/ { @[args[2]->ip_daddr] = sum(1); }
	mib:::IpInReceives /args[1] == $(stack_of b)/ { @[probename] = sum(args[0]); }"
received() {
	in_net b nstat -asz | awk '$1 == "IpInReceives" { print $2 }'
}
before=$(received)
on a ping -q -c 3 -i 0.2 -W 5 "$m4" >/dev/null
on a ping -q -c 4 -i 0.2 -W 1 "$dead4" >/dev/null
after=$(received)
dtrace_stop
is "$(value "$m4")" 3 "packets for the device on top"
is "$(value "$dead4")" 0 "packets for an address that no device has"
is "$(value IpInReceives)" $((after - before)) "IpInReceives is that of nstat"

done_testing
