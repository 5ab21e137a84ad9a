# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
#
# lib_lossy.sh: two network namespaces for witnesses, c (client) and s (server), with a path that loses packets between
# them (lossy.py).
. "${BASH_SOURCE[0]%/*}/lib.sh"
# Other runs can use their own addresses at the same time.
export NET=$(($$ % 90 + 10))
net4=10.$NET net6=fd$NET
# The pipe that cuts ports off.
export CUT=$work/cut

on() {
	local side=$1
	shift
	ip netns exec "${ns[$side]}" "$@"
}

# witness_lossy SEED: makes the namespaces and starts the path.
witness_lossy() {
	local side again=20ms
	# Lost segments come again soon.  If nothing is lost, nothing comes again, also where the machine is slow: a second FIN
	# would have no socket.
	[ "${RATE:-1}" != 0 ] || again=20000ms
	for side in c s; do
		ns[$side]=dtl$$-$side
		ip netns add "${ns[$side]}"
		ip -n "${ns[$side]}" link set lo up
		on $side sysctl -qw net.ipv6.conf.default.router_solicitations=0 net.ipv6.conf.default.addr_gen_mode=1 \
			net.ipv6.conf.default.accept_dad=0
		[ "${RATE:-1}" != 0 ] || on $side sysctl -qw net.ipv4.tcp_early_retrans=0
	done
	mkfifo "$CUT"
	"$top/test/witness/lossy.py" "${ns[c]}" "${ns[s]}" "$1" "$CUT" "$work/wire" >"$work/lossy" &
	lossy=$!
	own_pids+=("$lossy")
	wait_for grep -qs ready "$work/lossy" || exit 2
	for side in c/cr/1 s/sr/2; do
		IFS=/ read -r side device number <<<"$side"
		ip -n "${ns[$side]}" link set "$device" up txqueuelen 10000
		ip -n "${ns[$side]}" addr add "$net4.1.$number/24" dev "$device"
		ip -n "${ns[$side]}" addr add "$net6:1::$number/64" dev "$device" nodad
		ip -n "${ns[$side]}" route replace "$net4.1.0/24" dev "$device" rto_min $again
		ip -n "${ns[$side]}" route replace "$net6:1::/64" dev "$device" rto_min $again
	done
}

# lossy_stop: ends the path; $work/wire is complete then.
lossy_stop() {
	kill "$lossy"
	wait "$lossy"
}
