#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# tools-end.t: ending a tool that makes a table from dtrace's output ends the tracing, and the table is shown.
#
# guests: none
. "${0%/*}/lib.sh"
. "${0%/*}/tools.sh"

# children PID
children() {
	cat "/proc/$1/task/$1/children" 2>/dev/null
}

# traces: returns success if a dtrace with BPF objects is a child of the tool.
traces() {
	local pid
	for pid in $(children "$tool_pid"); do
		[ "/proc/$pid/exe" -ef "$dtrace" ] && grep -q bpf "/proc/$pid/fdinfo/"* "/proc/$pid/maps" && return
	done
	false
}

for end in "INT hotkernel" "TERM hotkernel" "HUP hotkernel" "INT sampleproc 99" "TERM sampleproc 99" "INT tcptop 60" "TERM tcptop 60"; do
	read -r signal tool <<<"$end"
	# shellcheck disable=SC2086
	tool_start Sampling $tool
	wait_for 30 traces
	left=$(children "$tool_pid")
	positive "$(wc -w <<<"$left")" "$tool runs"
	sleep 0.5
	kill -"$signal" "$tool_pid"
	tool_wait
	for pid in $left; do
		ok "$tool: $signal leaves nothing behind" test ! -e "/proc/$pid"
	done
	[[ $tool = tcptop* ]] || has "$work/out" '(PCNT|PERCENT)$' "$tool: $signal shows the table"
done

# This one ends at once on a signal: the tool has its status, also if its end and the signal coincide.
cat >"$work/fake" <<'END'
#!/bin/sh
trap 'exit 7' TERM
echo traces >&2
while :; do
	sleep 1 3>&- &
	wait
done
END
chmod +x "$work/fake"
statuses=$(
	dtrace=$work/fake
	DTRACE=$dtrace
	for ((i = 0; i < 60; i++)); do
		: >"$work/err"
		env --default-signal=INT "$top/scripts/sampleproc" </dev/null >"$work/out" 2>"$work/err" &
		tool_pid=$!
		wait_for 30 grep -qs traces "$work/err"
		kill -INT "$tool_pid"
		wait "$tool_pid"
		echo $?
		: >"$work/err"
	done | sort | uniq -c
)
is "${statuses// /}" 607 "sampleproc: the status of 60 that end at once"

# A tool that does not find dtrace, or whose dtrace cannot run, does not blame the kernel or the traced program.
export DTRACE=/nowhere/dtrace
for tool in oomkill lockstat tcpdrop gethostlatency pagefaults pgqueries namecache execsnoop fdleak sampleproc; do
	is "$("$top/scripts/$tool" 2>&1 </dev/null) $?" "$tool: /nowhere/dtrace: not found; set DTRACE to the path of dtrace 127" "$tool: no dtrace"
done
is "$("$top/scripts/oomkill" -h)" "$(DTRACE=$dtrace "$top/scripts/oomkill" -h)" "-h needs no dtrace"
DTRACE=$dtrace
for tool in oomkill tcpdrop pgqueries execsnoop; do
	# shellcheck disable=SC2016
	setpriv --reuid 65534 --clear-groups sh -c 'exec "$0" 2>&1 </dev/null' "$top/scripts/$tool" >"$work/out"
	is "$? $(grep -c . "$work/out")" "1 1" "$tool: no rights: one message"
	has "$work/out" '^dtrace: .*requires additional privileges' "$tool: the message of dtrace"
done
cat >"$work/other" <<'END'
#!/bin/sh
echo "dtrace: invalid probe specifier x: an own reason" >&2
[ "$1" = -qn ]
END
chmod +x "$work/other"
is "$(DTRACE=$work/other "$top/scripts/oomkill" 2>&1 | sort -u)" "dtrace: invalid probe specifier x: an own reason" "another reason of dtrace"
sed 's/invalid.*reason/failed to match x: No probe matches description/' "$work/other" >"$work/none"
chmod +x "$work/none"
has <(DTRACE=$work/none "$top/scripts/oomkill" 2>&1) '^oomkill: this kernel does not report' "a probe that does not exist"

done_testing
