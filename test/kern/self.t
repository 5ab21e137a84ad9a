#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# self.t: tests of the kernel tests: a run with losses is not quiet, and run.sh reports the first failure, skipped
# tests and passed tests.
#
# guests: none
. "${0%/*}/lib.sh"

# ---- dtrace_is_quiet

quiet() {
	printf "$1" >"$work/err"
	ok "quiet: $1" dtrace_is_quiet
}

loud() {
	printf "dtrace: description 'BEGIN ' matched 1 probe\n%s\n" "$1" >"$work/err"
	ok "not quiet: $1" eval '! dtrace_is_quiet'
}

quiet ""
quiet "dtrace: description 'ip:::send,\n\tip:::receive ' matched 2 probes\ndtrace: pid 17 has exited\n"
quiet "dtrace: script '/tmp/failed drops.d' matched 1 probe\n"
loud 'dtrace: 17 nested firings missed at sched_switch'
loud 'dtrace: ignored a damaged record of 12 bytes'
loud 'dtrace: 1 drop on CPU 0'
loud 'dtrace: 3 dynamic variable drops'
loud 'dtrace: error on enabled probe ID 1 (ID 1: dtrace:::BEGIN): invalid address (0x0) in action #1'
loud 'dtrace: failed to write to <stdout>: No space left on device'
loud 'dtrace: pid 17 exited with status 1'
loud 'dtrace: buffer size lowered to 4m'

# ---- run.sh, with tests of its own

mkdir -p "$work/test/kern" "$work/build"
cp "$top/test/kern/run.sh" "$top/test/kern/lib.sh" "$work/test/kern"
ln -s "$top"/build/test-* "$work/build"

# file NAME: writes a test from its standard input.
file() {
	{ echo '. "${0%/*}/lib.sh"'; cat; echo done_testing; } >"$work/test/kern/$1.t"
}

run() {
	DTRACE=$dtrace bash "$work/test/kern/run.sh" "$@" >"$work/out" 2>&1
	status=$?
}

file good <<<'is 1 1 one; is 2 2 two'
file never <<<$'# guests: none\nis 1 1 one'
file partly <<<'is 1 1 one; skip two "no such kernel"; fast_here three && is 3 3 three'
run
is $status 0 "all pass"
is "$(tail -n 3 "$work/out" | paste -sd '|')" \
	"skipped (no such kernel): partly (two)|1 skipped, 0 on the second run only|5 passed, 0 failed" "the sums"
file other <<<$'# guests: 6.12\nis 1 1 one'
GUEST=6.1 run
is "$(tail -n 4 "$work/out" | paste -sd '|')" "skipped (no such kernel): partly (two)|skipped (takes an emulated processor minutes): partly (three)|2 skipped, 0 on the second run only|3 passed, 0 failed" \
	"a guest runs the tests whose heads do not exclude it; a skipped check has a reason and a name"
GUEST=6.1 run --kernels
has "$work/out" '^5 passed, 0 failed$' "--kernels: the tests that need one guest run in each, and no check is skipped for its time"
GUEST=6.1 run never
has "$work/out" '^1 passed, 0 failed$' "a named test runs in any guest"

file needy <<<$'# needs: bash no-such-program\nis 1 1 one'
run needy good
is "$(tail -n 3 "$work/out" | paste -sd '|')" \
	"skipped (not installed: no-such-program): needy|1 skipped, 0 on the second run only|2 passed, 0 failed" \
	"a test whose program is not installed is skipped by name"

# Each test notes its begin and its end.
for name in one two; do
	file $name <<<"echo + >>$work/order; sleep 0.3; echo - >>$work/order; is 1 1 one"
	file $name-alone <<<$'# alone: a reason\n'"echo + >>$work/order; sleep 0.1; echo - >>$work/order; is 1 1 one"
done
run --jobs 2 one one-alone two two-alone
is "$(tr -d '\n' <"$work/order")" "++--+-+-" "tests run side by side, then those that run alone"

file rare <<<'mkdir "$top/once" 2>/dev/null; is $? 1 "the second time"'
run good rare
is $status 0 "a test that passes on the second run has passed"
is "$(tail -n 3 "$work/out" | paste -sd '|')" \
	"passed on the second run only: rare|0 skipped, 1 on the second run only|3 passed, 0 failed" "and is named"
has "$work/out" '^not ok 1 - the second time' "with what failed first"

file bad <<<'is 1 2 one'
file early <<<'is 1 1 one; exit 0'
run bad early
is $status 1 "tests that fail"
is "$(tail -n 1 "$work/out")" "1 passed, 2 failed" "one, and one that does not come to its end"

done_testing
