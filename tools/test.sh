#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# test.sh NAME...: builds and runs single tests: `make T="NAME..." test`.  A NAME is a test of any rung, with or
# without its folder and suffix (cat, exec/cat, test/exec/cat.d).  If several rungs have the name, all of these
# tests run.  gen/SEED is a random program.
#
# The build is in the folder B.  The status is 1 if a test failed, 2 if there is no such test.
cd "${0%/*}/.." || exit 2
B=${B:-build}
MAKE=${MAKE:-make}
status=0

die() {
	echo "test.sh: $1" >&2
	exit 2
}

# find_tests NAME: the tests of that name, one RUNG/NAME per line.
find_tests() {
	local name=${1#./} folder="" base suffix="" rung file
	name=${name#test/}
	base=${name##*/}
	[ "$name" = "$base" ] || folder=${name%/*}
	if [ "$folder" = gen ] && [[ $base =~ ^[0-9]+$ ]]; then
		echo "$name"
		return
	fi
	case $base in
	*.*) suffix=${base##*.} base=${base%.*} ;;
	esac
	base=${base%_test}
	# A fuzz target needs its prefix or its folder: T=lang does not fuzz.
	[ "$folder" != fuzz ] || base=fuzz_${base#fuzz_}
	for file in "unit/${base}_test.c" "unit/${base}_test.sh" "lang/$base.d" "ir/$base.ir" "exec/$base.d" \
		"kern/$base.t" "fuzz/$base.c"; do
		rung=${file%/*}
		[ "${folder:-$rung}" = "$rung" ] || continue
		[ "${suffix:-${file##*.}}" = "${file##*.}" ] || continue
		[ "$rung" != fuzz ] || [[ $base = fuzz_* ]] || continue
		[ ! -e "test/$file" ] || echo "test/$file"
	done
}

# run COMMAND...: prints the command, so that you can run it in a debugger, and runs it.
run() {
	echo "== $*"
	"$@" || status=1
}

# build TARGET
build() {
	$MAKE -s "$1" || die "cannot build $1"
}

run_test() {
	local base=${1##*/}
	case $1 in
	gen/*) build "$B/test/gen_run" && run "$B/test/gen_run" "$base" 1 ;;
	*_test.sh) run "$1" ;;
	test/unit/*) build "$B/test/${base%.c}" && run "$B/test/${base%.c}" ;;
	test/lang/*) build "$B/test/lang_run" && run "$B/test/lang_run" "$1" ;;
	test/ir/*) build "$B/test/ir_run" && run "$B/test/ir_run" "$1" ;;
	test/exec/*) build "$B/test/exec_run" && run "$B/test/exec_run" "$1" ;;
	test/kern/*) build all && run test/kern/run.sh "${base%.t}" ;;
	test/fuzz/*) run "$MAKE" -s "fuzz-run-${base%.c}" ;;
	esac
}

[ $# -gt 0 ] || die "no name of a test: run make T=NAME test"
tests=()
for name; do
	mapfile -t found < <(find_tests "$name")
	[ ${#found[@]} != 0 ] ||
		die "no test \"$name\" in test/{unit,lang,ir,exec,kern,fuzz}; a random program is gen/SEED"
	tests+=("${found[@]}")
done
for name in "${tests[@]}"; do
	run_test "$name"
done
exit $status
