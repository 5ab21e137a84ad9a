#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# effects.sh BUILD [OPTION...]: lists options of -x that no test misses.  Each option has tests that name it (rows:
# -xNAME; see rows.sh).  At least one of them must fail in a build (test/effects) that accepts the option and
# ignores it.  Options without effect (OPT_UNUSED) are left out.  The status is 1 if such an option exists, or if a
# test fails although nothing is ignored.  Needs root.
cd "${0%/*}/.." || exit 2
build=$(realpath "$1")
shift

options() {
	sed -n 's/^OPT(\([a-z]*\),.*/\1/p' src/config/opts.def
}

# fails OPTION FILE: returns success if the test fails without the option.
fails() {
	case $2 in
	*.t) ! IGNORED_OPTION=$1 DTRACE=$build/dtrace timeout -k 10 300 bash "$2" | grep -c '^not ok' | grep -qx 0 ;;
	*) ! IGNORED_OPTION=$1 "$build/exec_run" "$2" ;;
	esac </dev/null >/dev/null 2>&1
}

# tests OPTION: prints the tests that name the option.
tests() {
	grep -rlE "rows:.* -x$1( |$)" test/exec test/kern --include='*.[dt]'
}

has_effect() {
	local file
	for file in $(tests "$1"); do
		fails "$1" "$file" && return
	done
	return 1
}

status=0
[ $# -gt 0 ] || mapfile -t names < <(options)
for file in $(for name in "$@" "${names[@]}"; do tests "$name"; done | sort -u); do
	fails "" "$file" && { echo "$file fails as it is"; status=1; }
done
for name in "$@" "${names[@]}"; do
	has_effect "$name" || { echo "-x$name"; status=1; }
done
exit $status
