#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# tcp-segments.t: every segment sent and received, by source and by flags, compared with tcpdump: also resets,
# SYN-ACKs, answers of TIME_WAIT and unanswered SYNs.
#
# guests: none
# needs: ping tcpdump
. "${0%/*}/lib.sh"

all_cases="hello bulk refused reset-linger reset-unread worker timewait-reuse"

# compare NAME CAPTURE ADDRESS TEXT: checks tcp:::NAME from the address.
compare() {
	local family=4 kind
	[[ $3 = *:* ]] && family=6
	is "$(value "$1" "$3")" "$(captured "$2" "tcp and src host $3")" "$4: tcp:::$1 from $3"
	for kind in syn synack rst fin; do
		is "$(value "$1" "$3" $kind)" \
			"$(captured "$2" "src host $3 and $(flags_filter $family $kind)")" \
			"$4: tcp:::$1 from $3: $kind"
	done
}

net_up
saddr=$(ours 'args[2]->ip_saddr')
program="tcp:::send, tcp:::receive /$saddr/ { @[probename, args[2]->ip_saddr] = count(); }
tcp:::send, tcp:::receive /($saddr) && (args[4]->tcp_flags & (TH_SYN | TH_ACK)) == TH_SYN/
{ @kind[probename, args[2]->ip_saddr, \"syn\"] = count(); }
tcp:::send, tcp:::receive /($saddr) && (args[4]->tcp_flags & (TH_SYN | TH_ACK)) == (TH_SYN | TH_ACK)/
{ @kind[probename, args[2]->ip_saddr, \"synack\"] = count(); }
tcp:::send, tcp:::receive /($saddr) && (args[4]->tcp_flags & TH_RST)/
{ @kind[probename, args[2]->ip_saddr, \"rst\"] = count(); }
tcp:::send, tcp:::receive /($saddr) && (args[4]->tcp_flags & TH_FIN)/
{ @kind[probename, args[2]->ip_saddr, \"fin\"] = count(); }"

for family in 4 6; do
	dtrace_start -n "$program" || done_testing
	capture_start a
	# shellcheck disable=SC2086
	traffic_run $family $all_cases
	capture_stop a
	dtrace_stop
	[ $family = 4 ] && ends="$a4 $b4" || ends="$a6 $b6"
	for addr in $ends; do
		positive "$(captured a "tcp and src host $addr")" "there are segments from $addr"
		compare send a "$addr" "between machines"
		compare receive a "$addr" "between machines"
	done
	is "$(value send "${ends#* }" rst)" 2 "a refused connection and unread data are answered by resets"

	dtrace_start -n "$program" || done_testing
	capture_start lo
	# shellcheck disable=SC2086
	traffic_local $family hello refused reset-linger reset-unread worker timewait-reuse
	capture_stop lo
	dtrace_stop
	compare send lo "${ends% *}" "on loopback"
	compare receive lo "${ends% *}" "on loopback"

	dtrace_start -n "$program" || done_testing
	capture_start a
	[ $family = 4 ] && dead=$dead4 || dead=$dead6
	traffic_to $family "$dead" - "$ns_a" dead
	capture_stop a
	dtrace_stop
	compare send a "${ends% *}" "no answer"
	is "$(value receive "${ends% *}")" 0 "what nobody receives is not received"
done

done_testing
