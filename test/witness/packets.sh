#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# packets.sh SEED COUNT: every member of args[] of ip, tcp, udp, udplite and sctp that a capture also has, beside tshark, and dropped
# packets beside the kernel's event skb:kfree_skb, in three namespaces under random traffic.  Prints what differs, and
# "N values compared, N packets, N drops, N wrong".
#
# The seed chooses the path between client and router (net_variants), or VARIANT names it.  GUEST=VERSION runs the load in
# a guest with that kernel of Debian; tshark reads its files here.
. "${0%/*}/lib_net.sh"

seed=${1:-1} count=${2:-300}
# The folder of the captures; in a guest, the one that leaves it.
out=${WITNESS_OUT:-$work}

ip4='args[4]->ipv4_ver, args[4]->ipv4_ihl, args[4]->ipv4_tos, args[4]->ipv4_length, args[4]->ipv4_ident, args[4]->ipv4_flags,
	args[4]->ipv4_offset, args[4]->ipv4_ttl, args[4]->ipv4_protocol, args[4]->ipv4_protostr, args[4]->ipv4_checksum,
	ntohl(args[4]->ipv4_src), ntohl(args[4]->ipv4_dst), args[4]->ipv4_saddr, args[4]->ipv4_daddr'
ip6='args[5]->ipv6_ver, args[5]->ipv6_tclass, args[5]->ipv6_flow, args[5]->ipv6_plen, args[5]->ipv6_nexthdr,
	args[5]->ipv6_nextstr, args[5]->ipv6_hlim, inet_ntoa6(args[5]->ipv6_src), inet_ntoa6(args[5]->ipv6_dst),
	args[5]->ipv6_saddr, args[5]->ipv6_daddr'
# The first 8 bytes after the header tell segments apart.
key4='args[2]->ip_plength < 8 ? 0 : ntohl(*(uint32_t *)((uintptr_t)args[4]->ipv4_hdr + args[4]->ipv4_ihl + 4))'
key6='args[2]->ip_plength < 8 ? 0 : ntohl(*(uint32_t *)((uintptr_t)args[5]->ipv6_hdr + 44))'
tcp='args[4]->tcp_sport, args[4]->tcp_dport, args[4]->tcp_seq, args[4]->tcp_ack, args[4]->tcp_offset,
	args[4]->tcp_flags, args[4]->tcp_window, args[4]->tcp_checksum, args[4]->tcp_urgent'
udp='args[4]->udp_sport, args[4]->udp_dport, args[4]->udp_length, args[4]->udp_checksum'
udplite='args[4]->udplite_sport, args[4]->udplite_dport, args[4]->udplite_coverage, args[4]->udplite_checksum'
sctp='args[4]->sctp_sport, args[4]->sctp_dport, args[4]->sctp_verify, args[4]->sctp_checksum'
socket='args[1]->cs_addr != 0, args[1]->cs_zoneid'

# transport PROVIDER PREFIX MEMBERS: prints the clause of a provider of a transport protocol.
transport() {
	printf '%s:::send, %s:::receive /%s/\n{ printf("%%s|-|%s|%%d|%%d|%%s|%%s|%s\\n", probename,
	args[2]->ip_ver, args[2]->ip_plength, args[2]->ip_saddr, args[2]->ip_daddr, %s,
	args[3]->%ss_addr != 0, args[3]->%ss_lport, args[3]->%ss_rport, args[3]->%ss_laddr, args[3]->%ss_raddr); }\n' \
		"$1" "$1" "$ours" "$1" "$(sed 's/[^,]*,\?/%d|/g' <<<"${2//$'\n'/}")%d|%d|%d|%s|%s" "$2" "$1" "$1" "$1" "$1" "$1"
}

# The kernel cuts datagrams of UDP_SEGMENT after the capture.
export WITHOUT=udp_segment

# load FOLDER: traces the load, and leaves the captures, the lines of dtrace and the list of devices in the folder.
load() {
	local side where= variants variant ours captures=() events=/sys/kernel/tracing/instances/dtw$$
	mapfile -t variants < <(net_variants)
	variant=${VARIANT:-${variants[seed % ${#variants[@]}]}}
	witness_net "$variant"
	echo "$variant" >"$1/variant"
	for side in c r s; do
		where+="${where:+ || }args[3]->if_ipstack == $(stat -Lc %i "/run/netns/${ns[$side]}")"
	done
	ours="(args[2]->ip_ver == 4 || args[2]->ip_ver == 6) && (strstr(args[2]->ip_saddr, \"$net4.\") == args[2]->ip_saddr ||
	strstr(args[2]->ip_saddr, \"$net6:\") == args[2]->ip_saddr)"
	{
		cat <<-END
		ip:::send, ip:::receive /($where) && args[2]->ip_ver == 4/
		{ printf("%s|%d %s|ip4|%d|%d|%s|%s|%d|%d|%d|%d|%d|%d|%d|%d|%d|%s|%d|%d|%d|%s|%s|%d|%d\n", probename, args[3]->if_ipstack,
			args[3]->if_name, args[2]->ip_ver, args[2]->ip_plength, args[2]->ip_saddr, args[2]->ip_daddr, $ip4,
			args[3]->if_local, $key4); }
		ip:::send, ip:::receive /($where) && args[2]->ip_ver == 6/
		{ printf("%s|%d %s|ip6|%d|%d|%s|%s|%d|%d|%d|%d|%d|%s|%d|%s|%s|%s|%s|%d|%d\n", probename, args[3]->if_ipstack,
			args[3]->if_name, args[2]->ip_ver, args[2]->ip_plength, args[2]->ip_saddr, args[2]->ip_daddr, $ip6,
			args[3]->if_local, $key6); }
		ip:::drop-in, ip:::drop-out /$where/
		{ printf("%s|%d|drop|%x|%d\n", probename, args[3]->if_ipstack, args[0]->pkt_addr, (int)args[6]); }
		END
		transport tcp "$tcp"
		transport udp "$udp"
		transport udplite "$udplite"
		transport sctp "$sctp"
	} >"$work/d"
	for side in c r s; do
		ip netns exec "${ns[$side]}" tcpdump -Z root -i any -y LINUX_SLL2 -s 400 -B 32768 -U -w "$1/$side.pcap" \
			>"$work/tcpdump.$side" 2>&1 &
		captures+=($!)
		own_pids+=($!)
		wait_for grep -qs 'listening on' "$work/tcpdump.$side"
	done
	mkdir "$events"
	instance=$events
	echo 8192 >"$events/buffer_size_kb"
	echo 0 >"$events/options/hash-ptr"
	echo 'protocol == 0x800 || protocol == 0x86dd' >"$events/events/skb/kfree_skb/filter"
	echo 1 >"$events/events/skb/kfree_skb/enable"
	run_traced -qs "$work/d" -- "$load_net" "${ns[c]}" "${ns[r]}" "${ns[s]}" "$seed" "$count" >"$work/load"
	grep -qx "steps $count" "$work/load" || { echo "the load did not end" >&2; exit 2; }
	cp "$work/out" "$1/lines"
	echo 0 >"$events/events/skb/kfree_skb/enable"
	cp "$events/trace" "$1/events"
	sed -n 's/.*print fmt.*__print_symbolic(REC->reason, //p' "$events/events/skb/kfree_skb/format" >"$1/reasons"
	# libpcap hands packets on after a second at most.
	sleep 1.2
	kill -INT "${captures[@]}"
	wait "${captures[@]}"
	for side in c r s; do
		ip -n "${ns[$side]}" -o link | awk -v side=$side -v stack="$(stat -Lc %i "/run/netns/${ns[$side]}")" '{
			split($2, name, /[@:]/)
			above = $2 ~ /@if/ ? "" : name[2]
			for (i = 3; i < NF; i++)
				if ($i == "master")
					above = ">" $(i + 1)
			print side, stack, $1 + 0, name[1], above
		}'
	done >"$1/devices"
}

# In a guest, the files leave through its output.
load_in_guest() {
	in_guest 'mkdir /tmp/out
		WITNESS_OUT=/tmp/out VARIANT='"${VARIANT:-} test/witness/packets.sh $seed $count"' || exit
		cd /tmp/out && python3 -c "
import base64, io, tarfile
data = io.BytesIO()
with tarfile.open(fileobj=data, mode=\"w:xz\", preset=1) as tar:
    tar.add(\".\")
print(\"files\", base64.b64encode(data.getvalue()).decode())"' >"$work/said" || { grep -v '^files ' "$work/said" >&2; exit 2; }
	grep -v '^files ' "$work/said"
	sed -n 's/^files //p' "$work/said" | base64 -d | tar -xJ -C "$out" || exit 2
}

instance=
trap '[ -z "$instance" ] || rmdir "$instance"; cleanup' EXIT
if [ -n "${GUEST:-}" ]; then
	load_in_guest
else
	load "$out"
fi
[ -n "${WITNESS_OUT:-}" ] || "${0%/*}/packets.py" "$out"
