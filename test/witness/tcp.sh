#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# tcp.sh SEED COUNT: the states of TCP connections and the probes of connecting, in three namespaces under random sessions: beside the
# load's own counts, ss(8), and the state machine of RFC 9293.  Prints what differs, and "N values compared, N of them
# not zero, N wrong".
. "${0%/*}/lib_net.sh"

seed=${1:-1} count=${2:-200}
witness_net

ours="(strstr(args[3]->tcps_raddr, \"$net4.\") == args[3]->tcps_raddr || strstr(args[3]->tcps_raddr, \"::ffff:$net4.\") == args[3]->tcps_raddr ||
	strstr(args[3]->tcps_raddr, \"$net6:\") == args[3]->tcps_raddr)"
cat >"$work/d" <<END
tcp:::state-change /$ours/
{ printf("state %d %s %d %s %d %s %s\\n", args[1]->cs_zoneid, args[3]->tcps_laddr, args[3]->tcps_lport, args[3]->tcps_raddr,
	args[3]->tcps_rport, tcp_state_string[args[5]->tcps_state], tcp_state_string[args[3]->tcps_state]); }
tcp:::connect-request, tcp:::connect-established, tcp:::connect-refused /$ours/ { @[probename] = count(); }
tcp:::accept-established, tcp:::accept-refused /strstr(args[2]->ip_saddr, "$net4.") == args[2]->ip_saddr ||
	strstr(args[2]->ip_saddr, "$net6:") == args[2]->ip_saddr/ { @[probename] = count(); }
dtrace:::END { printa("probe %s %@d\\n", @); }
END
cat >"$work/load" <<END
#!/bin/sh
export STEPS='tcp tcp_refused tcp_gives_up tcp_reset_by_peer'
"$load_net" "${ns[c]}" "${ns[r]}" "${ns[s]}" "$seed" "$count"
for side in c s; do ip netns exec dtw$$-\$side ss -Htan | sed "s/^/ss /"; done
END
chmod +x "$work/load"
run_traced -qs "$work/d" -- "$work/load" >"$work/said"
"${0%/*}/tcp.py" "$work"
