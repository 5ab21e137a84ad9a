#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# sctp.t: the sctp provider, on kernels that have the protocol.  Packets are compared with tcpdump, associations
# with the counters of the namespaces, windows with the sent data.
#
# guests: 6.12
# needs: ping tcpdump
. "${0%/*}/lib.sh"

net_up
"$traffic" 4 127.0.0.1 - - sctp >"$work/trial" 2>&1 || kernel_lacks sctp
dtrace_start -n "sctp:::send, sctp:::receive /$(ours 'args[2]->ip_saddr')/
	{ @[probename, args[2]->ip_saddr] = count(); }"
capture_start a
traffic_run 4 sctp
traffic_run 6 sctp
capture_stop a
dtrace_stop
# counter a|b NAME: prints a counter of SCTP in the namespace.
counter() {
	in_net "$1" awk -v name="$2" '$1 == name { print $2 }' /proc/net/sctp/snmp
}

for addr in "$a4" "$b4" "$a6" "$b6"; do
	case $addr in
	"$a4" | "$a6") receiver=b ;;
	*) receiver=a ;;
	esac
	want=$(captured a "src host $addr and (ip proto 132 or ip6 proto 132)")
	positive "$want" "there are sctp packets from $addr"
	is "$(value send "$addr")" "$want" "sctp:::send from $addr"
	# A retransmission after the end of an association has no socket, and the kernel counts it.
	between "$(value receive "$addr")" $((want - $(counter $receiver SctpOutOfBlues))) "$want" "sctp:::receive from $addr"
done

# states PORT-SIDE REGEX: prints how often the association of the client (rport) or server (lport) changed in this
# way.
states() {
	grep -Ec "^$1 $2\$" "$work/out"
}

may_probe_functions || { skip "state-change, cwnd, rwnd" "the kernel lets no functions be traced"; done_testing; }
dtrace_start -q -n "sctp:::state-change /$(ours 'args[3]->sctps_raddr') && args[3]->sctps_lport != 7032 && args[3]->sctps_rport != 7032/
{
	printf(\"%s %s %s %s\\n\", args[3]->sctps_rport == 7031 ? \"client\" : \"server\", args[3]->sctps_raddr,
	    sctp_state_string[args[5]->sctps_state], sctp_state_string[args[3]->sctps_state]);
}
sctp:cwnd::init /(arg1 & 0xffff) == 7031 && arg3 == 0 && arg4 > 0/ { @init[\"init\"] = count(); }
sctp:rwnd:assoc:val /(arg1 & 0xffff) == 7031 || arg1 >> 16 == 7031/
{
	@rwnd[arg2 < 0 ? \"taken\" : \"given\", (arg1 & 0xffff) == 7031 ? \"client\" : \"server\"] = sum(args[2]);
}
sctp:cwnd:: /(arg1 & 0xffff) == 7032/ { printf(\"cwnd %s %d %d\\n\", probename, arg3, arg4); }"
active=$(counter a SctpActiveEstabs) passive=$(counter b SctpPassiveEstabs)
traffic_run 4 sctp
traffic_run 6 sctp
traffic_run 4 sctp-bulk
active=$(($(counter a SctpActiveEstabs) - active)) passive=$(($(counter b SctpPassiveEstabs) - passive))
dtrace_stop
is "$active $passive" "3 3" "the kernel counts three associations on each side"
for addr in "$a4 $b4" "$a6 $b6"; do
	client="client ${addr#* }" server="server ${addr% *}"
	is "$(grep "^$client" "$work/out" | head -n 3 | sed 's/.* \([^ ]*\)$/\1/' | paste -sd ' ')" \
		"state-cookie-wait state-cookie-echoed state-established" "$client: how it begins"
	is "$(states "$server" 'state-closed state-established')" 1 "$server: how it begins"
	for side in "$client" "$server"; do
		is "$(states "$side" '.* state-established')" 1 "$side: it is established once"
		is "$(states "$side" 'state-established .*')" 1 "$side: once it is so no more"
		is "$(grep "^$side" "$work/out" | tail -n 1 | sed 's/.* //')" state-closed "$side: it is closed in the end"
		is "$(states "$side" '.* state-closed')" 1 "$side: once"
	done
done
is "$(value init)" 2 "cwnd::init: each path of the clients"
is "$(value taken server) $(value taken client)" "-60 -80" "rwnd: what comes takes from the window"
is "$(value given server) $(value given client)" "60 80" "rwnd: and is given back"

# A window grows step by step from its first value to the value that the kernel reports.  After a limit for a burst
# it has its earlier value.
is_chain() {
	awk -v window="$(awk '$1 == "window" { n = $2 } END { print n }' "$work/traffic")" '
	$1 != "cwnd" { next }
	$2 != "init" && $3 != now { broken++ }
	{ limited = $4 }
	$2 != "bl" { now = $4 }
	END { exit broken || (window != now && window != limited) }' "$work/out"
}

has "$work/out" '^cwnd init ' "cwnd::init: the window of another association"
ok "each step begins where the one before ended, up to what the kernel has" is_chain || note_file traffic "$work/traffic"

done_testing
