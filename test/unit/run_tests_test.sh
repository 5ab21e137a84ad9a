#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# run_tests_test.sh: the reports of tools/run-tests.sh, with runners that fail in different ways.
set -u

run_tests=$(realpath "${0%/*}/../../tools/run-tests.sh")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export JOBS=2 V=
checks=0
failures=0

# check WHAT OUTPUT STATUS COMMAND...: OUTPUT lists lines, separated by "|", in any order except the last.
check() {
	local what=$1 want=$2 status=$3 got
	shift 3
	got=$("$@" 2>&1)
	status="$status $?"
	checks=$((checks + 1))
	if [ "${status% *}" != "${status#* }" ] || [ "$(sort <<<"$got")" != "$(tr '|' '\n' <<<"$want" | sort)" ] ||
		[ "${got##*$'\n'}" != "${want##*|}" ]; then
		failures=$((failures + 1))
		printf '%s: status (wanted, got) %s\n%s\n' "$what" "$status" "$got"
	fi
}

# A runner that does what the name of the file says.
cat >runner <<'END'
#!/bin/bash
status=0
for file; do
	case $file in
	*good*) echo "ok $file 1" ;;
	*bad*) echo "wrong output"; echo "failed $file 2"; status=1 ;;
	*crash*) echo "last words"; kill -SEGV $$ ;;
	*leak*) echo "ok $file 1"; leaks=1 ;;
	esac
done
[ -z "${leaks:-}" ] || { echo "a leak"; exit 23; }
exit $status
END
chmod +x runner

files() {
	"$run_tests" exec --files ./runner "$@"
}

good=$(printf 'good%s.d ' {1..30})
# shellcheck disable=SC2086
{
	check "all pass" "exec: 30 passed, 0 failed" 0 files $good
	check "a file fails" "wrong output|FAILED: exec/bad|exec: 30 passed, 1 failed" 1 files bad.d $good
	check "the runner crashes" "last words|killed by SIGSEGV|the runner ended in a/crash.d with status 139|$(:
		)FAILED: exec/crash|exec: 31 passed, 1 failed" 1 files $good a/crash.d good.d
	check "the runner fails at its end" "a leak|the runner ended with status 23|FAILED: exec/leak|$(:
		)exec: 30 passed, 1 failed" 1 files $good leak.d
}
check "no files" "exec: there are no tests|exec: 0 passed, 1 failed" 1 files
run_none() {
	"$run_tests" exec --files ./none good.d 2>&1 | sed 's/.*: //'
	return "${PIPESTATUS[0]}"
}

check "no runner" "No such file or directory|the runner ended in good.d with status 127|$(:
	)exec/good|0 passed, 1 failed" 1 run_none
check "no programs" "unit: there are no tests|unit: 0 passed, 1 failed" 1 "$run_tests" unit
check "programs with and without checks" "unit: 8 passed, 0 failed" 0 \
	"$run_tests" unit "echo 7 checks, 0 failures" true

cat >some_test <<'END'
#!/bin/bash
echo "some.c:1: failed: x"
echo "7 checks, 2 failures"
exit 1
END
cat >other_test <<'END'
#!/bin/bash
kill -ABRT $$
END
chmod +x ./*_test
check "programs fail" "some.c:1: failed: x|7 checks, 2 failures|FAILED: unit/some|killed by SIGABRT|$(:
	)FAILED: unit/other|unit: 5 passed, 3 failed" 1 "$run_tests" unit ./some_test ./other_test

echo "$checks checks, $failures failures"
[ $failures = 0 ]
