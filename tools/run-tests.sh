#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# run-tests.sh RUNG COMMAND...: runs test programs.  A program passes if its status is 0.  If it prints
# "N checks, N failures" (test/unit/test.h), its checks are counted; otherwise it counts as one test.
#
# run-tests.sh RUNG --files RUNNER FILE...: runs test files.  A RUNNER takes a part of the files and prints a line
# for each (test/result.h).  If it ends before its last file, it has crashed in the first file without such a line.
# Another RUNNER then takes the files after that one.
#
# JOBS processes run side by side, by default one per processor.  "FAILED: NAME" follows the output of a failed
# test; `make T=NAME test` runs that test alone.  V=1 lists the five slowest tests.  The last line is "RUNG: N
# passed, N failed"; the status is 1 if a test failed or there was none.
set -u

jobs=${JOBS:-$(nproc)}
rung=$1
shift
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
part=10000 # names the files of a process: PART.results, PART.failures, PART.log

# name COMMAND|FILE: unit/agg for build/test/agg_test, lang/ok_x for test/lang/ok_x.d.
name() {
	local base=${1##*/}
	base=${base%.*}
	case $1 in
	*' '*) echo "$1" ;;
	*) echo "$rung/${base%_test}" ;;
	esac
}

# result NAME MILLISECONDS PASSED FAILED
result() {
	echo "$2 $3 $4 $1" >>"$work/$part.results"
}

# failure NAME LINE...: prints the output of the test, and how it ended.
failure() {
	{
		printf '%s\n' "${@:2}" | sed '/^$/d'
		echo "FAILED: $1"
	} >>"$work/$part.failures"
}

# ending STATUS: prints how a program ended, or nothing if it ended by itself.
ending() {
	[ "$1" -le 128 ] || echo "killed by SIG$(kill -l $(($1 - 128)))"
}

milliseconds() {
	echo $((${EPOCHREALTIME/[.,]/} / 1000))
}

run_program() {
	local out status begin good=1 bad=0
	begin=$(milliseconds)
	# ./check passes commands of several words.
	# shellcheck disable=SC2086
	out=$($1 2>&1)
	status=$?
	if [[ $out =~ ([0-9]+)" checks, "([0-9]+)" failures"$ ]]; then
		bad=${BASH_REMATCH[2]}
		good=$((BASH_REMATCH[1] - bad))
	fi
	if [ $status != 0 ] && [ "$bad" = 0 ]; then
		good=0
		bad=1
	fi
	[ "$bad" = 0 ] || failure "$(name "$1")" "$out" "$(ending $status)"
	result "$(name "$1")" $(($(milliseconds) - begin)) "$good" "$bad"
}

# read_results LOG: reads the results that a runner printed.  Sets seen to the number of files with a result, bad to
# the number of failed files, and rest to the output after the last result.
read_results() {
	local word file ms line
	seen=0 bad=0 rest=
	while IFS= read -r line; do
		read -r word file ms <<<"$line"
		case $word in
		ok)
			result "$(name "$file")" "$ms" 1 0
			;;
		failed)
			failure "$(name "$file")" "$rest"
			result "$(name "$file")" "$ms" 0 1
			bad=$((bad + 1))
			;;
		*)
			rest+=$line$'\n'
			continue
			;;
		esac
		rest=
		seen=$((seen + 1))
	done <"$1"
}

# run_files FILE...
run_files() {
	local log=$work/$part.log status seen bad rest
	while [ $# -gt 0 ]; do
		{ "$runner" "$@" >"$log" 2>&1; } 2>/dev/null # bash reports signals there
		status=$?
		read_results "$log"
		if [ "$seen" = $# ]; then
			[ $status = 0 ] || [ "$bad" != 0 ] || bad_end $status "$rest" "$@"
			return
		fi
		shift "$seen"
		failure "$(name "$1")" "$rest" "$(ending $status)" "the runner ended in $1 with status $status"
		result "$(name "$1")" 0 0 1
		shift
	done
}

# bad_end STATUS OUTPUT FILE...: all files passed, but the runner failed at its end: a leak, for example.  Running
# each file alone finds the culprit.
bad_end() {
	local status=$1 rest=$2 file
	shift 2
	for file; do
		"$runner" "$file" >"$work/$part.log" 2>&1 && continue
		failure "$(name "$file")" "$(grep -v '^ok ' "$work/$part.log")" "the runner ended with status $status"
		result "$(name "$file")" 0 -1 1 # The file was already counted as passed.
		return
	done
	failure "$rung: $1 to ${*: -1}, but not one of them alone" "$rest" "the runner ended with status $status"
	result "$rung" 0 0 1
}

# start FUNCTION ARGUMENT...: runs the function as one of the processes, when fewer than JOBS run.
start() {
	while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do
		wait -n
	done
	part=$((part + 1))
	"$@" &
}

run_all() {
	local share
	if [ "${1:-}" != --files ]; then
		for program; do
			start run_program "$program"
		done
	else
		runner=$2
		shift 2
		# Each process gets several parts, because some files take much longer than others.
		share=$(($# / (jobs * 4) + 1))
		while [ $# -gt 0 ]; do
			start run_files "${@:1:share}"
			shift $((share < $# ? share : $#))
		done
	fi
	wait
}

run_all "$@"
cat "$work"/*.failures 2>/dev/null
cat "$work"/*.results >"$work/all" 2>/dev/null
[ "${V:-}" != 1 ] || sort -rn "$work/all" | head -n 5 | sed -E 's/^([0-9]+) [^ ]+ [^ ]+ (.*)/\2: \1 ms/'
read -r passed failed < <(awk '{ p += $2; f += $3 } END { print p + 0, f + 0 }' "$work/all")
if [ $((passed + failed)) = 0 ]; then
	echo "$rung: there are no tests"
	failed=1
fi
echo "$rung: $passed passed, $failed failed"
[ "$failed" = 0 ]
