#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# run.sh [--guest VERSION] [TEST...]: runs the kernel tests here, as root, or in a guest under the
# kernel VERSION, all of them or those named (ip-send or test/kern/ip-send.t).
#
# Each test's own output is shown when something failed in it, else one line; all of it stays in
# build/kern/NAME.log (not for guests).  A test that fails is run once more, and has failed if it fails again;
# what it said the first time is shown.  The last lines name what was skipped, with the reason, and what
# passed on the second run, and count both; the very last is "N passed, N failed".  The status is 1 if
# anything failed, also if a test ended early or took more than TEST_TIME seconds.  Tests find GUEST set
# where everything is slow.
set -u

here=$(cd "${BASH_SOURCE[0]%/*}" && pwd)
top=$(cd "$here/../.." && pwd)
logs=$top/build/kern
passed=0
failed=0
skips= # lines of a reason, a tab and what was skipped
again=()

die() {
	echo "run.sh: $1" >&2
	exit 2
}

# build NAME SOURCE FLAG...: a program of the tests; a guest is given the one made outside.
build() {
	local program=$top/build/$1 source=$here/$2
	shift 2
	[ "$program" -nt "$source" ] && return
	type -P gcc >/dev/null || { [ -x "$program" ] && return; }
	mkdir -p "$top/build"
	gcc -std=gnu11 -g -Wall -Wextra -Wno-unused-parameter "$@" -o "$program" "$source" || die "no program $program"
}

# Programs with static probes: by the macros of -h, with and without what -G makes; by calls; a library.
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

# Programs whose stacks are walked, made in the ways that give them different tables.
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

# The programs that make traffic and calls, and one whose functions are traced, as compilers and
# distributions make them.
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
	build test-files files.c -O2
	build test-locks locks.c -O2 -pthread
	build test-events events.c -O2
	build test-naps naps.c -O2 -fno-omit-frame-pointer
	build test-naps-static naps.c -O2 -static
	build test-naps-stripped naps.c -O2 -static -s
	build test-jit jit.c -O2 -fno-omit-frame-pointer
	build test-sysinfo sysinfo.c -O2 -pthread
	build test-inlined inlined.c -O2 -fcf-protection=none -nostdlib -static -Wl,-e,0 \
		-Wl,--build-id=0x4454524143452d544553542d4255494c442d4944
	build test-pid-frames pid.c -O2 -fno-omit-frame-pointer -momit-leaf-frame-pointer
	build test-pid-debug pid.c -O0 -no-pie
	build test-pid-static pid.c -O1 -static
	build test-pid-args pid-args.c -O2
	build test-pid-stripped pid.c -O2 -rdynamic -s
	[ "$(uname -m)" != x86_64 ] || build_unwind
	build_usdt
}

prepare() {
	[ "$(id -u)" = 0 ] || die "tracing needs root"
	[ -x "${DTRACE:-$top/build/dtrace}" ] || die "build/dtrace is not there: run make"
	build_programs
	mkdir -p "$logs"
	if [ ! -e /sys/kernel/tracing/events ]; then
		mount -t tracefs tracefs /sys/kernel/tracing
	fi
}

# count_results NAME STATUS SECONDS: what one test said, checked against its plan.
count_results() {
	local log=$logs/$1.log good bad plan skipped
	skipped=$(sed -n "s/^ok [0-9]* - \(.*\) # skip \(.*\)/\2\t$1 (\1)/p; s/^1\.\.0 # skip \(.*\)/\1\t$1/p" "$log")
	skips+=$skipped${skipped:+$'\n'}
	good=$(grep -c '^ok ' "$log")
	bad=$(grep -c '^not ok ' "$log")
	plan=$(sed -n 's/^1\.\.\([0-9]*\).*/\1/p' "$log" | tail -n 1)
	if [ "${plan:-none}" != $((good + bad)) ] || { [ "$2" != 0 ] && [ "$bad" = 0 ]; }; then
		echo "not ok - $1 did not come to its end (status $2)" >>"$log"
		bad=$((bad + 1))
	fi
	good=$((good - $(grep -c '^ok .* # skip ' "$log")))
	passed=$((passed + good))
	failed=$((failed + bad))
	if [ "$bad" = 0 ]; then
		echo "$1: $good ok, $3 s$(sed -n 's/.*# skip / skip /p' "$log" | sort -u | paste -sd ,)"
	else
		echo "$1: $bad of $((good + bad)) not ok, $3 s"
		grep -v '^ok ' "$log"
	fi
}

run_file() {
	timeout -k 10 "${TEST_TIME:-300}" bash "$here/$1.t" >"$logs/$1.log" 2>&1 </dev/null
}

run_one() {
	local name=${1##*/} begin=$SECONDS status
	name=${name%.t}
	[ -e "$here/$name.t" ] || die "no test $name"
	run_file "$name"
	status=$?
	# Timing on a loaded machine can break a test of live traffic.  A rare defect can do the same, so
	# what failed first is always shown.
	if [ $status != 0 ] || grep -q '^not ok' "$logs/$name.log"; then
		echo "$name: failed, and is run once more:"
		grep -A 3 '^not ok' "$logs/$name.log" | head -n 20
		cp "$logs/$name.log" "$logs/$name.first.log"
		run_file "$name"
		status=$?
		if [ $status = 0 ] && ! grep -q '^not ok' "$logs/$name.log"; then
			again+=("$name")
		fi
	fi
	count_results "$name" $status $((SECONDS - begin))
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

run_here() {
	local test
	prepare
	[ $# -gt 0 ] || set -- "$here"/*.t
	for test; do
		run_one "$test"
	done
	summary
	exit $((failed > 0))
}

if [ "${1:-}" = --guest ]; then
	version=${2:?usage: run.sh --guest VERSION [TEST...]}
	shift 2
	[ -x "${DTRACE:-$top/build/dtrace}" ] || die "build/dtrace is not there: run make"
	build_programs
	make -s -C "$top" build/test/gen_run || die "no program build/test/gen_run"
	# Software emulation of two guests on two processors is slow, but it comes to its end.
	export GUEST_TIME=${GUEST_TIME:-3000}
	exec "$here/guest.sh" "$version" "GUEST=$version TEST_TIME=${TEST_TIME:-900} test/kern/run.sh $*"
fi
run_here "$@"
