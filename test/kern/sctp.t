#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# sctp.t: the sctp provider, on kernels that have the protocol.
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
for addr in "$a4" "$b4" "$a6" "$b6"; do
	want=$(captured a "src host $addr and (ip proto 132 or ip6 proto 132)")
	positive "$want" "there are sctp packets from $addr"
	is "$(value send "$addr")" "$want" "sctp:::send from $addr"
	is "$(value receive "$addr")" "$want" "sctp:::receive from $addr"
done

done_testing
