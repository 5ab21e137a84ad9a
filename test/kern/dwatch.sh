# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2016,SC2154,SC2034
#
# dwatch.sh: shared by the tests of dwatch, which watch a script and have a directory of their own.
. "${0%/*}/lib.sh"

dwatch=$top/dwatch/dwatch
export DTRACE=$dtrace
export TMPDIR=$work/tmp
mkdir "$TMPDIR"
cd "$work" || exit 1

# act LINE...: writes the watched script.
act() {
	printf '%s\n' "$@" >"$work/act"
}

# dwatch_run ARGUMENT...: runs dwatch to its end, with a limit of minutes; the status is in $status.
dwatch_run() {
	timeout -k 5 $((SLOWER * 60)) "$dwatch" "$@" </dev/null >"$work/out" 2>"$work/err"
	status=$?
}

# watch ARGUMENT...: runs the script and watches it and its descendants.
watch() {
	dwatch_run -q -t 'progenyof($target)' "$@" -c "sh act"
	[ $status = 0 ] || note "status $status of dwatch $*"
}

# events: prints the lines of the output without their dates, and with PID instead of process ids.
events() {
	sed -nE 's/^[0-9]{4} [A-Z][a-z]{2} [ 0-9][0-9] [0-9:]{8} //p' "$work/out" |
		sed -E 's/^([^[]*)\[[0-9]+\]/\1[PID]/' | paste -sd '|'
}

# sees WANT TEXT ARGUMENT...: checks the events.
sees() {
	local want=$1 text=$2
	shift 2
	watch "$@"
	is "$(events)" "$want" "$text" || note_file "standard output" "$work/out"
}
