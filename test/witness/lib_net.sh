# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
#
# lib_net.sh: three network namespaces for witnesses: c (client) - r (router) - s (server), with IPv4 and IPv6.
# The path between client and router has variants: net_variants.
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

# net_variants: the paths between client and router that this kernel can make, one a line.
net_variants() {
	local ns=dtw$$-try kind
	echo plain
	echo segments
	echo gro
	ip netns add "$ns"
	ip -n "$ns" link add below type veth peer name peer
	for kind in bridge macvlan vlan qinq vxlan geneve gre gretap ipip sit ip6tnl ip6gre; do
		# shellcheck disable=SC2046
		ip -n "$ns" link add x $(case $kind in
			bridge) echo type bridge ;;
			macvlan) echo link below type macvlan ;;
			vlan) echo link below type vlan id 7 ;;
			qinq) echo link below type vlan proto 802.1ad id 7 ;;
			vxlan) echo type vxlan id 7 dstport 4789 ;;
			geneve) echo type geneve id 7 remote 10.0.0.2 ;;
			ip6*) echo type $kind local fd00::1 remote fd00::2 ;;
			*) echo type $kind local 10.0.0.1 remote 10.0.0.2 ;;
			esac) 2>/dev/null || continue
		ip -n "$ns" link del x
		echo $kind
		[ $kind != vlan ] || echo vlan-software
	done
	ip netns exec "$ns" nft 'table ip t { chain c { type nat hook postrouting priority 100; masquerade; }; }' 2>/dev/null &&
		echo snat && echo dnat
	ip netns del "$ns"
}

# add_link VARIANT: makes the devices cr (client) and rc (router), for tunnels on devices cr0 and rc0.
add_link() {
	local c=${ns[c]} r=${ns[r]} under=0 side near far kind=$1 lower
	case $kind in plain | segments | gro | snat | dnat) under= ;; esac
	ip link add "cr$under" netns "$c" type veth peer name "rc$under" netns "$r"
	[ -n "$under" ] || return 0
	for side in c/cr/1/2 r/rc/2/1; do
		IFS=/ read -r side dev near far <<<"$side"
		lower=${dev}0
		ip -n "${ns[$side]}" link set "$lower" mtu 1600 up
		case $kind in
		bridge)
			ip -n "${ns[$side]}" link add "$dev" type bridge
			ip -n "${ns[$side]}" link set "$lower" master "$dev"
			;;
		macvlan)
			ip -n "${ns[$side]}" link add "$dev" link "$lower" type macvlan mode bridge
			ip -n "${ns[$side]}" link add "${dev}9" link "$lower" type macvlan mode bridge
			ip -n "${ns[$side]}" link set "${dev}9" up
			;;
		vlan | vlan-software)
			[ $kind = vlan ] || on "$side" "$top/test/witness/offloads.py" "$lower" txvlan=off rxvlan=off
			ip -n "${ns[$side]}" link add "$dev" link "$lower" type vlan id 7
			;;
		qinq)
			ip -n "${ns[$side]}" link add "${dev}1" link "$lower" type vlan proto 802.1ad id 5
			ip -n "${ns[$side]}" link set "${dev}1" up
			ip -n "${ns[$side]}" link add "$dev" link "${dev}1" type vlan id 7
			;;
		*)
			ip -n "${ns[$side]}" addr add "$net4.9.$near/24" dev "$lower"
			ip -n "${ns[$side]}" addr add "$net6:9::$near/64" dev "$lower" nodad
			# shellcheck disable=SC2046
			ip -n "${ns[$side]}" link add "$dev" $(case $kind in
				vxlan) echo type vxlan id 7 dstport 4789 local $net4.9.$near remote $net4.9.$far ;;
				geneve) echo type geneve id 7 remote $net4.9.$far ;;
				sit) echo type sit mode any local $net4.9.$near remote $net4.9.$far ttl 64 ;;
				gre | gretap | ipip) echo type $kind local $net4.9.$near remote $net4.9.$far ttl 64 ;;
				ip6tnl) echo type ip6tnl mode any local $net6:9::$near remote $net6:9::$far ;;
				ip6gre) echo type ip6gre local $net6:9::$near remote $net6:9::$far ;;
				esac)
			;;
		esac
	done
	if [ $kind = bridge ]; then
		# A port whose frames nobody on the other side wants.
		ip link add cr9 netns "$c" type veth peer name rc9 netns "$r"
		ip -n "$r" link set rc9 master rc up
		ip -n "$c" link set cr9 up
	fi
}

# set_variant VARIANT: what a variant changes after the devices have addresses.
set_variant() {
	local device
	case $1 in
	segments)
		for device in c/cr r/rc r/rs s/sr; do
			on ${device%/*} "$top/test/witness/offloads.py" ${device#*/} tso=off gso=off tx=off
		done
		;;
	gro)
		for device in c/cr r/rc r/rs s/sr; do
			on ${device%/*} "$top/test/witness/offloads.py" ${device#*/} tso=off gro=on
		done
		;;
	snat)
		for device in ip ip6; do
			on r nft "table $device t { chain c { type nat hook postrouting priority 100; oifname rs masquerade; }; }"
		done
		;;
	dnat)
		# The client knows the server by another address.
		export SERVER4=$net4.3.3 SERVER6=$net6:3::3
		on r nft "table ip t { chain c { type nat hook prerouting priority -100; ip daddr $SERVER4 dnat to $net4.2.2; }; }"
		on r nft "table ip6 t { chain c { type nat hook prerouting priority -100; ip6 daddr $SERVER6 dnat to $net6:2::2; }; }"
		;;
	esac
}

# witness_net [VARIANT]: makes the namespaces; a variant of net_variants is the path between client and router.
witness_net() {
	local side family device6 suffix=
	for side in c r s; do
		ns[$side]=dtw$$-$side
		ip netns add "${ns[$side]}"
		ip -n "${ns[$side]}" link set lo up
		on $side sysctl -qw net.ipv6.conf.all.accept_dad=0 net.ipv6.conf.default.accept_dad=0 \
			net.ipv4.ping_group_range='0 2147483647' net.ipv6.conf.default.router_solicitations=0
	done
	on r sysctl -qw net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=1
	add_link "${1:-plain}"
	# A tunnel of ipip has no packets of IPv6.
	[ "${1:-}" != ipip ] || suffix=0
	export DEVICE6=$suffix
	ip link add rs netns "${ns[r]}" type veth peer name sr netns "${ns[s]}"
	ip -n "${ns[c]}" addr add $net4.1.1/24 dev cr
	ip -n "${ns[c]}" addr add $net6:1::1/64 dev cr$suffix nodad
	ip -n "${ns[r]}" addr add $net4.1.254/24 dev rc
	ip -n "${ns[r]}" addr add $net6:1::fe/64 dev rc$suffix nodad
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
	set_variant "${1:-plain}"
	# Packets that the kernel sends by itself, for neighbours and groups, come before the load.
	on c ping -qc1 -W1 ${SERVER4:-$net4.2.2} >/dev/null
	on c ping -qc1 -W1 ${SERVER6:-$net6:2::2} >/dev/null
	sleep 2
}
