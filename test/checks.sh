# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
#
# checks.sh: counts checks; a script sources this file and sets $work, a folder of its own.
passed=0
failed=0
skipped=0

# explain: prints more about a failure; a script can replace it.
explain() { :; }

# ok TEXT COMMAND...: one check; prints the output of a command that fails.
ok() {
	local text=$1
	shift
	if "$@" >"$work/out" 2>&1; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED: $text"
		head -n 20 "$work/out"
		explain
	fi
}

# is GOT WANT TEXT: checks that two strings are equal.
is() {
	ok "$3" diff <(echo "$1") <(echo "$2")
}

# has TEXT PROGRAM...: returns success if all programs are installed; otherwise prints the tests TEXT as skipped.
has() {
	local program
	for program in "${@:2}"; do
		if ! type -P "$program" >/dev/null; then
			skipped=$((skipped + 1))
			echo "skipped (not installed: $program): $1"
			return 1
		fi
	done
}
