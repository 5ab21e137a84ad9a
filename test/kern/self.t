#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# self.t: the tests of the kernel themselves: what a run has lost is no quiet run.
. "${0%/*}/lib.sh"
not_in_guests

quiet() {
	printf "$1" >"$work/err"
	ok "quiet: $1" dtrace_is_quiet
}

loud() {
	printf "dtrace: description 'BEGIN ' matched 1 probe\n%s\n" "$1" >"$work/err"
	ok "not quiet: $1" eval '! dtrace_is_quiet'
}

quiet ""
quiet "dtrace: description 'ip:::send,\n\tip:::receive ' matched 2 probes\ndtrace: pid 17 has exited\n"
quiet "dtrace: script '/tmp/failed drops.d' matched 1 probe\n"
loud 'dtrace: 17 nested firings missed at sched_switch'
loud 'dtrace: damaged record of 12 bytes'
loud 'dtrace: 1 drop on CPU 0'
loud 'dtrace: 3 dynamic variable drops'
loud 'dtrace: error on enabled probe ID 1 (ID 1: dtrace:::BEGIN): invalid address (0x0) in action #1'
loud 'dtrace: failed to write to <stdout>: No space left on device'
loud 'dtrace: pid 17 exited with status 1'
loud 'dtrace: buffer size lowered to 4m'

done_testing
