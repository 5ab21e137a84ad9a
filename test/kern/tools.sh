# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
#
# tools.sh: functions for the tests of tools; sourced after lib.sh.
export DTRACE=$dtrace

# tool_start WORD TOOL ARGUMENT...: starts the tool in the background; the tool traces when it has printed WORD.  Its
# output is in $work/out and $work/err.
tool_start() {
	local word=$1
	shift
	: >"$work/out" >"$work/err"
	env --default-signal=INT "$top/scripts/$1" "${@:2}" </dev/null >"$work/out" 2>"$work/err" &
	tool_pid=$!
	own_pids+=("$tool_pid")
	wait_for 30 grep -qs "$word" "$work/out" "$work/err" || { ok "$1 starts" false; note_file "standard error" "$work/err"; }
	wait_for 5 is_tracing "$tool_pid" || true
}

# tool_start_quiet TOOL ARGUMENT...: starts a tool that prints nothing at first.
tool_start_quiet() {
	env --default-signal=INT "$top/scripts/$1" "${@:2}" </dev/null >"$work/out" 2>"$work/err" &
	tool_pid=$!
	own_pids+=("$tool_pid")
	wait_for 30 is_tracing "$tool_pid" || { ok "$1 starts" false; note_file "standard error" "$work/err"; }
}

# tool_stop [SITE]: interrupts the tool; tool_wait [SITE]: waits until it ends.  For SITE see dtrace_is_quiet.
tool_stop() {
	sleep 0.3
	kill -INT "$tool_pid"
	tool_wait "$@"
}

tool_wait() {
	wait "$tool_pid"
	is $? 0 "the tool ends" || note_file "standard error" "$work/err"
	ok "and reports no drops, errors or faults" dtrace_is_quiet "$@"
}

# program NAME FILE: copies a program to $work/NAME, a name that no other process has, so that -n finds it.
program() {
	cp "$(type -P "$2")" "$work/$1"
}

# together_start TOOL ARGUMENT... [: TOOL ARGUMENT...]...: starts several tools at the same time; each traces when it has
# written anything.  The output of each is in $work/TOOL.out and $work/TOOL.err.
together_start() {
	local line name
	together=()
	while read -ra line; do
		name=${line[0]}
		env --default-signal=INT "$top/scripts/$name" "${line[@]:1}" </dev/null >"$work/$name.out" 2>"$work/$name.err" &
		together+=("$name:$!")
		own_pids+=("$!")
	done < <(printf '%s\n' "$*" | sed 's/ : /\n/g')
	for line in "${together[@]}"; do
		wait_for 30 test -s "$work/${line%:*}.out" ||
			{ ok "${line%:*} starts" false; note_file "standard error" "$work/${line%:*}.err"; }
		wait_for 5 is_tracing "${line#*:}" || true
	done
}

# together_stop: interrupts the tools that still run, and waits for all.
together_stop() {
	local line
	sleep 0.3
	for line in "${together[@]}"; do
		kill -INT "${line#*:}" 2>/dev/null
	done
	for line in "${together[@]}"; do
		wait "${line#*:}"
		is $? 0 "${line%:*} ends" || note_file "standard error" "$work/${line%:*}.err"
		# The kernel allocates pages for tracing, even while it reports an allocation.
		cp "$work/${line%:*}.err" "$work/err"
		ok "and reports no drops, errors or faults" dtrace_is_quiet mm_page_alloc
	done
}
