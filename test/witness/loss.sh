#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# loss.sh SEED COUNT: TCP connections over a path that loses packets: their states, every member of tcpsinfo_t, the segments, and the
# counters of mib; beside TCP_INFO, the packets of the path, nstat and ss.  Prints what differs, and "N values compared,
# N of them not zero, N wrong".
. "${0%/*}/lib_lossy.sh"

seed=${1:-1} count=${2:-100}
move_to_guest "$seed" "$count"
witness_lossy "$seed"

# members OF: prints the members of a connection.
members() {
	local name list=
	for name in laddr lport raddr rport state iss irs suna smax snxt rack rnxt swnd snd_ws swl1 radv rwnd rcv_ws cwnd cwnd_ssthresh \
		srecover rto mss retransmit srtt rtt rtt_sd debug dupacks ts_recent local active addr; do
		list+="${list:+, }$1->tcps_$name"
	done
	echo "$list"
}
format='%s|%d|%s|%d|%d|%u|%u|%u|%u|%u|%u|%u|%u|%d|%u|%u|%u|%d|%u|%u|%u|%u|%u|%d|%d|%u|%u|%d|%d|%u|%d|%d|%x'
header='args[2]->ip_saddr, args[4]->tcp_sport, args[2]->ip_daddr, args[4]->tcp_dport, args[4]->tcp_seq, args[4]->tcp_ack,
	args[4]->tcp_flags, args[4]->tcp_window, args[4]->tcp_checksum, args[2]->ip_plength - args[4]->tcp_offset'
# ours ADDRESS: prints the condition that an address is of the path.
ours() {
	echo "(strstr($1, \"$net4.\") == $1 || strstr($1, \"::ffff:$net4.\") == $1 || strstr($1, \"$net6:\") == $1)"
}
names=$("$dtrace" -ln 'mib:::' | awk 'NR > 1 && $NF ~ /^(Tcp|Ip|tcp.*Bytes)/ { print $NF }' | sort -u)
echo "$names" >"$work/names"
where=
for side in c s; do
	number=$(stat -Lc %i "/run/netns/${ns[$side]}")
	where+="${where:+ || }args[1] == $number"
	echo "$side $number" >>"$work/sides"
done
cat >"$work/d" <<END
tcp:::send, tcp:::receive, tcp:::connect-request, tcp:::connect-refused, tcp:::accept-refused /$(ours 'args[2]->ip_saddr')/
{ printf("%s|%d|$format|%s|%d|%s|%d|%u|%u|%d|%d|%d|%d\\n", probename, timestamp, $(members 'args[3]'), $header); }
tcp:::connect-established, tcp:::accept-established /$(ours 'args[3]->tcps_raddr')/
{ printf("%s|%d|$format|%s|%d|%s|%d|%u|%u|%d|%d|%d|%d\\n", probename, timestamp, $(members 'args[3]'), $header); }
tcp:::state-change /$(ours 'args[3]->tcps_raddr')/
{ printf("state|%d|$format|%d\\n", timestamp, $(members 'args[3]'), args[5]->tcps_state); }
tcp:::debug-user /$(ours 'args[0]->tcps_raddr')/
{ printf("user|%d|$format|%d\\n", timestamp, $(members 'args[0]'), arg1); }
END
for name in $names; do
	echo "mib:::$name /$where/ { @[probename, args[1]] = sum(args[0]); }"
done >>"$work/d"
# shellcheck disable=SC2028
echo 'dtrace:::END { printa("mib|%s|%d|%@d\n", @); }' >>"$work/d"
cat >"$work/load" <<END
#!/bin/bash
"$top/test/witness/load_tcp.py" "${ns[c]}" "${ns[s]}" "$seed" "$count" >"$work/said" || exit
for side in c s; do ip netns exec dtl$$-\$side ss -Htan | sed "s/^/ss \$side /" >>"$work/said"; done
END
chmod +x "$work/load"
# counters FILE
counters() {
	local side
	for side in c s; do on $side nstat -asz | awk -v side=$side '/^[A-Z]/ { print side, $1, $2 }'; done >"$work/nstat.$1"
}
counters before
run_traced -qs "$work/d" -- "$work/load"
counters after
lossy_stop
"${0%/*}/loss.py" "$work"
