#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# tcptop.t: bytes by process and connection, compared with tcpdump; connections without a process are left out.
# rows: host_netns
#
# guests: 6.12
# needs: ping tcpdump
. "${0%/*}/lib.sh"

# bytes PID SADDR SPORT|- DADDR DPORT|-: prints a value of the aggregation @out; - stands for any port.
bytes() {
	awk -v pid="$1" -v src="$2" -v sport="$3" -v dst="$4" -v dport="$5" '
		NF == 7 && $2 == pid && $3 == src && $5 == dst &&
		(sport == "-" || $4 == sport) && (dport == "-" || $6 == dport) { sum += $7 }
		END { print sum + 0 }' "$work/out"
}

net_up
dtrace_start -q -n "tcp:::send /$(ours 'args[2]->ip_saddr') && args[1]->cs_pid != -1/
	{ @out[args[1]->cs_zoneid, args[1]->cs_pid, args[2]->ip_saddr, args[4]->tcp_sport,
	      args[2]->ip_daddr, args[4]->tcp_dport] = sum(args[2]->ip_plength - args[4]->tcp_offset); }
	tcp:::send, tcp:::receive /$(ours 'args[2]->ip_saddr') && args[1]->cs_pid == -1/
	{ @no[probename, args[2]->ip_saddr, args[4]->tcp_flags & TH_RST, args[4]->tcp_flags & TH_SYN] = count(); }
	tcp:::receive /$(ours 'args[2]->ip_saddr') && args[4]->tcp_dport == 7019/
	{ @to[\"to\", args[1]->cs_pid, args[2]->ip_saddr] = sum(args[2]->ip_plength - args[4]->tcp_offset); }"
capture_start a
for family in 4 6; do
	traffic_run $family hello bulk worker banner prefork refused
	cp "$work/traffic" "$work/traffic.$family"
done
capture_stop a
dtrace_stop

is "$(awk 'NF == 7 { print $1 }' "$work/out" | sort -un)" \
	"$(for side in a b; do echo $(($(stack_of $side) - 0xf0000000)); done | sort -un)" "cs_zoneid: both namespaces"

for family in 4 6; do
	[ $family = 4 ] && client=$a4 server=$b4 || client=$a6 server=$b6
	cp "$work/traffic.$family" "$work/traffic"
	is "$(bytes "$(traffic_pid hello client)" "$client" - "$server" 7001)" 100 "hello: the client's bytes"
	is "$(bytes "$(traffic_pid hello server)" "$server" 7001 "$client" -)" 100 "hello: the server's bytes"
	is "$(bytes "$(traffic_pid bulk client)" "$client" - "$server" 7002)" \
		"$(payload_sum a "src host $client and tcp dst port 7002")" "bulk: the client's bytes"
	is "$(bytes "$(traffic_pid bulk server)" "$server" 7002 "$client" -)" 0 "bulk: the server has none"
	is "$(bytes "$(traffic_pid worker client)" "$client" - "$server" 7006)" 60 "worker: the client's bytes"
	is "$(bytes "$(traffic_pid worker worker)" "$server" 7006 "$client" -)" 70 \
		"worker: the bytes are of the child of the process that accepted"
	is "$(bytes "$(traffic_pid banner worker)" "$server" 7018 "$client" -)" 40 \
		"banner: the child's first bytes, too"
	if may_probe_functions; then
		is "$(value to "$(traffic_pid prefork worker)" "$client")" 60 \
			"prefork: the bytes go to the process that accepted, though another listens"
	else
		skip "prefork" "the kernel lets nobody probe its functions"
	fi
	is "$(bytes "$(traffic_pid refused client)" "$client" - "$server" 7003)" 0 "refused: no bytes"
	is "$(value receive "$client" 0 2)" 1 "refused: the SYN came to no process"
	is "$(value send "$server" 4 0)" 1 "refused: the reset was sent by no process"
done

echo ': </dev/tcp/127.0.0.1/1' >"$work/refused"
dtrace_run -qn 'tcp:::connect-request /pid == $target/ { trace(args[1]->cs_zoneid); }' -c "bash $work/refused"
is "$(head -n 1 "$work/out")" 0 "cs_zoneid: 0 for the namespace of the machine"

done_testing
