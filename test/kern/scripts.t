#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# scripts.t: the ready scripts run, limited to one cgroup, and show what happened.
#
# guests: none
# needs: ping
. "${0%/*}/lib.sh"

# run_script NAME: traces the same traffic with the script; the output is in $work/out.
run_script() {
	dtrace_start -x cgroup="$cgroup" -s "$top/scripts/$1" || return
	traffic_run 4 hello refused udp
	traffic_run 6 hello
	# Scripts that print at intervals print once within this time.
	sleep "${2:-0}"
	dtrace_stop
}

net_up
for script in "$top"/scripts/*.d; do
	# Scripts that need targets run with targets, see targets.t.
	head -n 1 "$script" | grep -q 'dtrace -s$' || continue
	dtrace_run -e -s "$script"
	is "$status" 0 "${script##*/} compiles" || note_file "standard error" "$work/err"
done

run_script tcpsnoop.d
has "$work/out" "$(traffic_pid hello client) .*$a6.*7001 +100 \(PUSH\|ACK" "tcpsnoop.d: data of the client"
has "$work/out" "$(traffic_pid hello server) .*$b6:7001 .* 0 \(SYN\|ACK" "tcpsnoop.d: the server's SYN-ACK"

run_script tcptop.d 5.5
has "$work/out" "$(traffic_pid hello client) +$a6 .* 7001 +200" "tcptop.d: the client's bytes, both ways"

run_script tcpstate.d
has "$work/out" "state-established +-> state-fin-wait-1" "tcpstate.d: a state"

run_script tcpconnlat.d
has "$work/out" "$b4" "tcpconnlat.d: connections by address"

run_script udpsnoop.d
has "$work/out" "$(traffic_pid udp client) .*$a4.*7011" "udpsnoop.d: the client's datagram"

done_testing
