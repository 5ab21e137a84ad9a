# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
#
# lib_net.sh: three network namespaces for witnesses: c (client) - r (router) - s (server), with IPv4 and IPv6.
. "${BASH_SOURCE[0]%/*}/lib.sh"
# shellcheck disable=SC2034
load_net=$top/test/witness/load_net.py
# Other runs can use their own addresses at the same time.
export NET=$(($$ % 90 + 10))
net4=10.$NET net6=fd$NET

on() {
	local side=$1
	shift
	ip netns exec "${ns[$side]}" "$@"
}

witness_net() {
	local side
	for side in c r s; do
		ns[$side]=dtw$$-$side
		ip netns add "${ns[$side]}"
		ip -n "${ns[$side]}" link set lo up
		on $side sysctl -qw net.ipv6.conf.all.accept_dad=0 net.ipv6.conf.default.accept_dad=0 \
			net.ipv4.ping_group_range='0 2147483647' net.ipv6.conf.default.router_solicitations=0
	done
	on r sysctl -qw net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=1
	ip link add cr netns "${ns[c]}" type veth peer name rc netns "${ns[r]}"
	ip link add rs netns "${ns[r]}" type veth peer name sr netns "${ns[s]}"
	ip -n "${ns[c]}" addr add $net4.1.1/24 dev cr
	ip -n "${ns[c]}" addr add $net6:1::1/64 dev cr nodad
	ip -n "${ns[r]}" addr add $net4.1.254/24 dev rc
	ip -n "${ns[r]}" addr add $net6:1::fe/64 dev rc nodad
	ip -n "${ns[r]}" addr add $net4.2.254/24 dev rs
	ip -n "${ns[r]}" addr add $net6:2::fe/64 dev rs nodad
	ip -n "${ns[s]}" addr add $net4.2.2/24 dev sr
	ip -n "${ns[s]}" addr add $net6:2::2/64 dev sr nodad
	ip -n "${ns[c]}" link set cr up
	ip -n "${ns[r]}" link set rc up
	ip -n "${ns[r]}" link set rs up
	ip -n "${ns[s]}" link set sr up
	ip -n "${ns[c]}" route add default via $net4.1.254
	ip -n "${ns[c]}" route add default via $net6:1::fe
	ip -n "${ns[s]}" route add default via $net4.2.254
	ip -n "${ns[s]}" route add default via $net6:2::fe
	for side in c/cr r/rc r/rs s/sr; do
		for family in ipv4 ipv6; do
			on ${side%/*} sysctl -qw net.$family.neigh.${side#*/}.mcast_solicit=1 \
				net.$family.neigh.${side#*/}.retrans_time_ms=100
		done
	done
	# Packets that the kernel sends by itself, for neighbours and groups, come before the load.
	on c ping -qc1 -W1 $net4.2.2 >/dev/null
	on c ping -qc1 -W1 $net6:2::2 >/dev/null
	sleep 2
}
