#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# tcp-names.t: which tcp probes fire, by name, for the traffic of one cgroup.
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
is "$(value send)" "$segments" "send"
is "$(value receive)" "$segments" "receive"
is "$(value connect-request)" 8 "connect-request"
is "$(value connect-established)" 6 "connect-established"
is "$(value connect-refused)" 2 "connect-refused"
is "$(value accept-established)" 6 "accept-established"
is "$(value accept-refused)" 2 "accept-refused"
positive "$(value state-change)" "state-change"
is "$(value debug-input)" "$segments" "debug-input"
is "$(value debug-output)" "$segments" "debug-output"

done_testing
