#!/bin/sh
# Run test programs, print the output of those that fail, and a summary: run-tests.sh NAME COMMAND...
name=$1
shift
passed=0 failed=0
for t in "$@"; do
	if out=$($t 2>&1); then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		printf '%s\nFAILED: %s\n' "$out" "$t"
	fi
done
echo "$name: $passed passed, $failed failed"
[ $failed -eq 0 ]
