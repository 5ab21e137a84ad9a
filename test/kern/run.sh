#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# run.sh [--guest VERSION] [--kernels] [--jobs N] [TEST...]: runs kernel tests as root, here or in a guest with Debian's
# kernel VERSION.  TEST is a name or a file: ip-send, test/kern/ip-send.t.
# run.sh --build: only builds the programs of the tests.
#
# Comments in the head of a test say where and how it runs:
#
#	# guests: none		the kernel makes no difference: only here, unless it is named
#	# guests: 6.12		one guest is enough; --kernels runs it in each guest
#	# alone: REASON		no other kernel test runs at the same time
#	# needs: PROGRAM FILE	skipped if one of these is not installed
#
# Without TEST, all tests run that the heads allow, N in parallel (4; 2 in a guest).  A test fails if a check fails, if it
# does not come to its end, or after TEST_TIME seconds.  A failed test runs once more, alone, when all others have ended,
# and fails if it fails again; its first failure is printed.
#
# Output: one line for each test, with its seconds of wall clock and of processor, and all output of a failed test.
# The last lines list skipped checks, tests that passed on the second run only, and "N passed, N failed".  The
# status is 1 if anything failed.  build/kern/NAME.log has the output of a test (not for guests).  In a guest, where
# everything is slow, GUEST is set.
set -u

here=$(cd "${BASH_SOURCE[0]%/*}" && pwd)
top=$(cd "$here/../.." && pwd)
logs=$top/build/kern
passed=0
failed=0
skips= # lines of a reason, a tab and the skipped check
again=() # tests that passed on the second run only
jobs=
export KERNELS= # --kernels, if the tests run on every kernel
# The heads of the tests, by NAME.
declare -A guests=() alone=() needs=()

die() {
	echo "run.sh: $1" >&2
	exit 2
}

# build NAME SOURCE FLAG...: builds a program of the tests; guests get the programs of this machine.
build() {
	local program=$top/build/$1 source=$here/$2
	shift 2
	[ "$program" -nt "$source" ] && return
	type -P gcc >/dev/null || { [ -x "$program" ] && return; }
	mkdir -p "$top/build"
	gcc -std=gnu11 -g -Wall -Wextra -Wno-unused-parameter "$@" -o "$program" "$source" || die "no program $program"
}

# Programs with static probes: macros of -h, with and without the object of -G; calls; a library.
build_usdt() {
	local dir=$top/build/usdt lib kind
	[ "$top/build/test-usdt" -nt "$here/usdt.c" ] && [ "$top/build/test-usdt" -nt "$here/usdt.d" ] &&
		[ "$top/build/test-usdt" -nt "$top/build/dtrace" ] && return
	type -P gcc >/dev/null || { [ -x "$top/build/test-usdt" ] && return; }
	mkdir -p "$dir"
	for lib in '' -lib; do
		"${DTRACE:-$top/build/dtrace}" -h -s "$here/usdt$lib.d" -o "$dir/usdt$lib.h" || die "no header of usdt$lib.d"
	done
	rm -f "$top"/build/test-usdt*
	build test-usdt-lib.so usdt.c -O2 -I "$dir" -shared -fPIC -DLIBRARY
	build test-usdt-debug usdt.c -O0 -I "$dir" -no-pie
	build test-usdt-static usdt.c -O2 -I "$dir" -static -DSTATIC
	build test-usdt-stripped usdt.c -O2 -I "$dir" -s
	for kind in -calls ''; do
		gcc -O2 -c ${kind:+-DCALLS} -I "$dir" -o "$dir/usdt$kind.o" "$here/usdt.c" &&
			"${DTRACE:-$top/build/dtrace}" -G -s "$here/usdt.d" -o "$dir/probes$kind.o" "$dir/usdt$kind.o" &&
			gcc -o "$top/build/test-usdt$kind" "$dir/usdt$kind.o" "$dir/probes$kind.o" ||
			die "no program of usdt.c"
	done
}

# Programs whose stacks are walked, built in ways that produce different tables.
build_unwind() {
	build test-unwind unwind.c -O2 -s -pthread
	build test-unwind-debug unwind.c -O0 -s -pthread
	build test-unwind-whole unwind.c -O3 -flto -s -pthread
	build test-unwind-small unwind.c -Os -s -pthread -fno-asynchronous-unwind-tables -fexceptions
	build test-unwind-frames unwind.c -O2 -s -pthread -fno-omit-frame-pointer
	build test-unwind-landing unwind.c -O2 -s -pthread -fcf-protection=full
	build test-unwind-static unwind.c -O2 -s -pthread -static -DSTATIC
	build test-unwind-blind unwind.c -O2 -DBLIND
	build test-unwind.so unwind.c -O2 -shared -fPIC -DLIBRARY
}

# Programs that make traffic and calls, and a program with traced functions, built as compilers and distributions
# do.
build_programs() {
	build test-traffic traffic.c -O2
	build test-calls calls.c -O2 -pthread
	build test-procs procs.c -O2 -pthread -D_GNU_SOURCE
	[ "$(uname -m)" != x86_64 ] || build test-exec32 exec32.c -m32 -O1 -nostdlib -static -fno-pic -no-pie \
		-fno-stack-protector
	[ "$(uname -m)" != x86_64 ] || build test-pid-narrow pid-narrow.c -m32 -O2 -nostdlib -static -fno-pic -no-pie \
		-fno-stack-protector
	build test-pid pid.c -O2
	build test-pictures pictures.c -O1 -fno-omit-frame-pointer
	build test-plocks plocks.c -O2 -pthread
	build test-switch switch.c -O2 -pthread
	build test-hostile hostile.c -O2
	build test-pretender pretender.c -O2 -pthread
	build test-files files.c -O2
	build test-roads roads.c -O2
	build test-locks locks.c -O2 -pthread
	build test-addpart addpart.c -O2
	build test-events events.c -O2 -pthread
	build test-leaks leaks.c -O1
	build test-symptoms symptoms.c -O1 -pthread
	build test-nfs3 nfs3.c -O2
	build test-naps naps.c -O2 -fno-omit-frame-pointer
	build test-naps-static naps.c -O2 -static
	build test-naps-stripped naps.c -O2 -static -s
	build test-jit jit.c -O2 -fno-omit-frame-pointer
	build test-sysinfo sysinfo.c -O2 -pthread
	build test-inlined inlined.c -O2 -fcf-protection=none -nostdlib -static -Wl,-e,0 \
		-Wl,--build-id=0x4454524143452d544553542d4255494c442d4944
	build test-pid-frames pid.c -O2 -fno-omit-frame-pointer -momit-leaf-frame-pointer
	build test-pid-bare pid.c -O2 -fno-omit-frame-pointer -momit-leaf-frame-pointer -fno-asynchronous-unwind-tables
	build test-pid-landing pid.c -O2 -fno-omit-frame-pointer -fno-asynchronous-unwind-tables -fcf-protection=full
	build test-pid-debug pid.c -O0 -no-pie
	build test-pid-static pid.c -O1 -static
	build test-pid-args pid-args.c -O2
	build test-pid-stripped pid.c -O2 -rdynamic -s
	[ "$(uname -m)" != x86_64 ] || build_unwind
	build_usdt
}

prepare() {
	[ "$(id -u)" = 0 ] || die "tracing needs root"
	[ -x "${DTRACE:-$top/build/dtrace}" ] || die "build/dtrace is missing: run make"
	build_programs
	mkdir -p "$logs"
	if [ ! -e /sys/kernel/tracing/events ]; then
		mount -t tracefs tracefs /sys/kernel/tracing
	fi
}

read_heads() {
	local file key value
	while IFS=: read -r file key value; do
		file=${file##*/}
		declare -n table=${key#\# }
		table[${file%.t}]=${value# }
	done < <(grep -H '^# \(guests\|alone\|needs\): ' "$here"/*.t)
	unset -n table
}

# runs_in_guest NAME: returns success if the check runs the test in this guest.
runs_in_guest() {
	case ${guests[$1]:-$GUEST} in
	none) return 1 ;;
	"$GUEST") ;;
	*) [ -n "$KERNELS" ] ;;
	esac
}

# missing NAME: prints the first program or file that the test needs and this machine lacks.
missing() {
	local thing
	for thing in ${needs[$1]:-}; do
		case $thing in
		/*) [ -e "$thing" ] || { echo "$thing"; return; } ;;
		*) type -P "$thing" >/dev/null || { echo "$thing"; return; } ;;
		esac
	done
}

# add_skips NAME: adds the skipped checks in its log.
add_skips() {
	local lines
	lines=$(sed -n "s/^ok [0-9]* - \(.*\) # skip \(.*\)/\2\t$1 (\1)/p; s/^1\.\.0 # skip \(.*\)/\1\t$1/p" "$logs/$1.log")
	skips+=$lines${lines:+$'\n'}
}

# has_passed NAME STATUS: returns success if no check failed and the test came to its end.  Counts nothing.
has_passed() {
	[ "$2" = 0 ] && ! grep -q '^not ok' "$logs/$1.log" && is_complete "$1"
}

is_complete() {
	local plan
	plan=$(sed -n 's/^1\.\.\([0-9]*\).*/\1/p' "$logs/$1.log" | tail -n 1)
	[ "${plan:-none}" = "$(grep -c '^\(not \)\?ok ' "$logs/$1.log")" ]
}

# seconds NAME: prints wall clock and processor seconds, of the test and of the processes that it has waited for.
seconds() {
	local wall user sys ms
	read -r wall user sys <"$logs/$1.time"
	ms=$((10#${user/./} + 10#${sys/./}))
	echo "$wall s, $((ms / 1000)).$((ms % 1000 / 100)) s of processor"
}

# count_results NAME STATUS: adds up the checks of one test and prints its line.
count_results() {
	local log=$logs/$1.log good bad
	add_skips "$1"
	good=$(grep -c '^ok ' "$log")
	bad=$(grep -c '^not ok ' "$log")
	if ! is_complete "$1" || { [ "$2" != 0 ] && [ "$bad" = 0 ]; }; then
		echo "not ok - $1 did not come to its end (status $2)" >>"$log"
		bad=$((bad + 1))
	fi
	good=$((good - $(grep -c '^ok .* # skip ' "$log")))
	passed=$((passed + good))
	failed=$((failed + bad))
	if [ "$bad" = 0 ]; then
		echo "$1: $good ok, $(seconds "$1")$(sed -n 's/.*# skip /, skip /p' "$log" | sort -u | tr -d '\n')"
	else
		echo "$1: $bad of $((good + bad)) not ok, $(seconds "$1")"
		grep -v '^ok ' "$log"
	fi
}

# run_file NAME: runs the test and returns its status.
run_file() {
	local TIMEFORMAT='%3R %3U %3S'
	{
		time timeout -k 10 "${TEST_TIME:-600}" bash "$here/$1.t" >"$logs/$1.log" 2>&1 </dev/null
	} 2>"$logs/$1.time"
}

# run_side_by_side NAME...: runs tests in parallel and adds failed ones to $failures.
run_side_by_side() {
	local name status process
	local -A running=()
	for name in "$@" ''; do
		while [ ${#running[@]} -ge "$jobs" ] || { [ -z "$name" ] && [ ${#running[@]} -gt 0 ]; }; do
			wait -n -p process
			finish_first "${running[$process]}" $?
			unset "running[$process]"
		done
		[ -n "$name" ] || break
		run_file "$name" &
		running[$!]=$name
	done
}

# finish_first NAME STATUS: handles the end of a first run.
finish_first() {
	if has_passed "$1" "$2"; then
		count_results "$1" "$2"
		return
	fi
	echo "$1: failed (status $2), and runs once more at the end:"
	grep -v '^ok' "$logs/$1.log" | head -n 40
	[ "$2" != 124 ] || echo "it took more than ${TEST_TIME:-600} seconds"
	cp "$logs/$1.log" "$logs/$1.first.log"
	failures+=("$1")
}

run_alone() {
	local name
	for name; do
		run_file "$name"
		finish_first "$name" $?
	done
}

# A loaded machine can break a test of live traffic, and so can a rare defect.
run_again() {
	local name status
	for name; do
		run_file "$name"
		status=$?
		! has_passed "$name" $status || again+=("$name")
		count_results "$name" $status
	done
}

summary() {
	printf '%s' "$skips" | awk -F '\t' '{
		if ($1 in what)
			what[$1] = what[$1] ", " $2
		else
			what[why[++n] = $1] = $2
	} END { for (i = 1; i <= n; i++) print "skipped (" why[i] "): " what[why[i]] }'
	[ ${#again[@]} = 0 ] || echo "passed on the second run only: ${again[*]}"
	echo "$(printf '%s' "$skips" | grep -c .) skipped, ${#again[@]} on the second run only"
	echo "$passed passed, $failed failed"
}

# choose [TEST...]: fills the lists $together and $apart with the tests to run.
choose() {
	local name thing all=$#
	[ $# -gt 0 ] || set -- "$here"/*.t
	for name; do
		name=${name##*/}
		name=${name%.t}
		[ -e "$here/$name.t" ] || die "no test $name"
		[ -z "${GUEST:-}" ] || [ $all -gt 0 ] || runs_in_guest "$name" || continue
		thing=$(missing "$name")
		if [ -n "$thing" ]; then
			skips+="not installed: $thing"$'\t'"$name"$'\n'
		elif [ -n "${alone[$name]:-}" ]; then
			apart+=("$name")
		else
			together+=("$name")
		fi
	done
}

run_here() {
	local together=() apart=() failures=()
	prepare
	read_heads
	choose "$@"
	: "${jobs:=$((${GUEST:+-2} + 4))}"
	run_side_by_side "${together[@]}"
	run_alone "${apart[@]}"
	run_again "${failures[@]}"
	summary
	exit $((failed > 0))
}

# run_in_guest VERSION OPTION... [TEST...]: builds the programs here and runs the tests in a guest.
run_in_guest() {
	local version=$1
	shift
	[ -x "${DTRACE:-$top/build/dtrace}" ] || die "build/dtrace is missing: run make"
	build_programs
	make -s -C "$top" build/test/gen_run || die "no program build/test/gen_run"
	# Software emulation is slow, but it ends.
	GUEST_TIME=${GUEST_TIME:-${KERNELS:+3}3000} exec "$here/guest.sh" "$version" \
		"GUEST=$version TEST_TIME=${TEST_TIME:-900} test/kern/run.sh $*"
}

version=
while [[ ${1:-} = --* ]]; do
	case $1 in
	--guest) version=${2:?} && shift ;;
	--jobs) jobs=${2:?} && shift ;;
	--kernels) KERNELS=--kernels ;;
	--build) build_programs && exit ;;
	*) echo "usage: run.sh [--guest VERSION] [--kernels] [--jobs N] [TEST...]" >&2; exit 2 ;;
	esac
	shift
done
[ -z "$version" ] || run_in_guest "$version" $KERNELS ${jobs:+--jobs "$jobs"} "$@"
# Tests clean up when they are killed.
trap 'pkill -TERM -P $$ timeout; kill $(jobs -p) 2>/dev/null; exit 130' INT TERM HUP
run_here "$@"
