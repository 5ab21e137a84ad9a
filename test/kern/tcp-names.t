#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# tcp-names.t: which tcp probes fire, by name, for the traffic of one cgroup.
#
# guests: 6.12
# needs: ping tcpdump
. "${0%/*}/lib.sh"

net_up
dtrace_start -x cgroup="$cgroup" -n 'tcp::: { @[probename] = count(); }'
has "$work/err" "description 'tcp::: ' matched [0-9]+ probes" "the matched line"
capture_start a
traffic_run 4 hello bulk refused reset-linger
traffic_run 6 hello bulk refused reset-linger
capture_stop a
dtrace_stop
segments=$(captured a tcp)
positive "$segments" "there are segments"
# The answer of a port without a listener, and the segment that comes to it, have no socket and so no cgroup.  Nor
# has the second acknowledgement of a retransmission, if it finds its connection closed.
late=$(sent_again)
between "$(value send)" $((segments - 2 - late)) $((segments - 2)) \
	"send, without the two answers to refused connections"
between "$(value receive)" $((segments - 2 - late)) $((segments - 2)) \
	"receive, without the two refused requests"
is "$(value connect-request)" 8 "connect-request"
is "$(value connect-established)" 6 "connect-established"
is "$(value connect-refused)" 2 "connect-refused"
is "$(value accept-established)" 6 "accept-established"
is "$(value accept-refused)" 0 "accept-refused is of no cgroup"
positive "$(value state-change)" "state-change"
between "$(value debug-input)" $((segments - 2 - late)) $((segments - 2)) "debug-input"
between "$(value debug-output)" $((segments - 2 - late)) $((segments - 2)) "debug-output"

done_testing
