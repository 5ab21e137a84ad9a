# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
#
# lib.sh: functions for witnesses.  A witness sources this file, or lib_net.sh, and ends with report_table.
set -u
export LC_ALL=C PATH=/usr/sbin:/usr/bin:/sbin:/bin:$PATH
top=$(cd "${BASH_SOURCE[0]%/*}/../.." && pwd)
dtrace=${DTRACE:-$top/build/dtrace}
work=$(mktemp -d)
declare -A ns=()

cleanup() {
	local side
	for side in "${!ns[@]}"; do ip netns del "${ns[$side]}" 2>/dev/null; done
	[ -n "${KEEP:-}" ] || rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT TERM HUP

# run_traced OPTION... -- COMMAND...: runs the command while dtrace traces, with its output in $work/out.
run_traced() {
	local options=()
	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	shift
	"$dtrace" -x bufsize=16m "${options[@]}" -c "$*" -o "$work/out" 2>"$work/err" || { cat "$work/err" >&2; exit 2; }
	cat "$work/err" >&2
}

# report_table FILE: prints the rows that differ, and the counts.  Each row is "same|differs NAME WHERE GOT WANT".
report_table() {
	awk '{ n++; moved += ($4 != 0 || $5 != 0) } $1 == "differs" { wrong++; print "# " $2, "in " $3 ": dtrace " $4 ", witness " $5 }
		END {
			printf "%d values compared, %d of them not zero, %d wrong\n", n, moved, wrong
			exit wrong > 0 || n == 0
		}' "$1"
}
