#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# cpc.t: the cpc provider, compared with the kernel's counts for a thread (getrusage() in test/kern/sysinfo.c) and
# with itself.
#
# guests: 6.12
. "${0%/*}/lib.sh"

# last WHO NAME: prints the number of the last line WHO NAME NUMBER.
last() {
	awk -v who="$1" -v name="$2" '$1 == who && $2 == name { n = $3 } END { print n }' "$work/out"
}

# between_marks COMMAND PROBE...: counts firings in the first thread of test-sysinfo between its marks.
between_marks() {
	local command=$1 probe
	shift
	for probe; do
		echo "syscall::getpgid:entry /pid == \$target && arg0 == 0x7ffffff1/ { in = 1; n_${probe//-/_} = 0; }
		cpc:::$probe /in && tid == \$target/ { n_${probe//-/_}++; }
		syscall::getpgid:entry /pid == \$target && arg0 == 0x7ffffff2/
		{ printf(\"seen $probe %d\n\", n_${probe//-/_}); }"
	done >"$work/program.d"
	dtrace_run -q -c "$top/build/test-sysinfo $command" -s "$work/program.d"
	ok "$command: dtrace ends well and drops nothing" dtrace_is_quiet
}

between_marks memory page_faults-all-1 page_faults-user-1 page_faults-kernel-1 minor_faults-all-1
faults=$(last own faults)
positive "$faults" "the thread has page faults"
is "$(last seen page_faults-all-1)" "$faults" "each fires the probe once"
is "$(($(last seen page_faults-user-1) + $(last seen page_faults-kernel-1)))" "$faults" "in one of the two modes"
is "$(last seen minor_faults-all-1)" $((faults - $(last own maj_fault))) "minor faults are separate"

between_marks calls context_switches-all-1
switches=$(last own pswitch)
positive "$switches" "the thread is switched"
is "$(last seen context_switches-all-1)" "$switches" "each switch fires the probe"

dtrace_run -q -c "$top/build/test-sysinfo memory" -n '
cpc:::page_faults-all-1 { @one[cpu] = count(); } cpc:::page_faults-all-10 { @ten[cpu] = count(); }
END { printa("%d %@d %@d\n", @one, @ten); }'
ok "a count of ten: dtrace ends well" dtrace_is_quiet
has "$work/out" '^[0-9]+ [0-9]+ [0-9]+$' "there are faults on some CPU"
ok "the probe fires after each tenth of a CPU" \
	awk '$1 ~ /^[0-9]/ && ($2 < ($3 - 1) * 10 || $2 > ($3 + 1) * 10) { bad = 1 } END { exit bad }' "$work/out"

printf '#!/bin/sh\ni=0\nwhile [ $i -lt 30000 ]; do i=$((i + 1)); done\n' >"$work/busy"
chmod 755 "$work/busy"
dtrace_run -q -c "$work/busy" -n 'cpc:::cpu_clock-user-1000000 { @[arg0 == 0 && arg1 != 0] = count(); }
cpc:::cpu_clock-kernel-1000000 { @[arg0 != 0 && arg1 == 0] = count(); }'
positive "$(value 1)" "processors work in both modes"
is "$(value 0)" 0 "arg0 is of the kernel, arg1 of a process" || note_file err "$work/err"

# absent NAME REGEX: checks that the probe does not exist, for this reason.
absent() {
	dtrace_run -n "cpc:::$1 { exit(0); }"
	ok "$1 is refused" test "$status" != 0
	has "$work/err" "$2" "$1: the reason"
}

absent cpu_clock-all-1000 'too small: at least 200000'
absent nosuch-all-5000 'no such event'
absent page_faults-idle-1 'EVENT-user-COUNT'
absent page_faults-all-many 'must end with the number'
absent page_faults-all-0x1-100 'must end with the number'
if [ -e /sys/bus/event_source/devices/cpu ]; then
	ok "instructions are counted" dtrace_run -l -n 'cpc:::instructions-user-1000000'
else
	absent instructions-user-1000000 'do not count this event'
	absent r00c0-user-1000000 'do not count this event'
fi
ok "the listing has what every machine counts" dtrace_run -l -P cpc
has "$work/out" 'cpu_clock-all-1000000000$' "a clock, for one"

done_testing
