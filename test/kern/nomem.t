#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# nomem.t: a program that uses libdtrace survives when an allocation fails, and gets EDT_NOMEM.  Tries a sample of all
# allocations; NOMEM_EVERY=1 tries each one.
#
# guests: none
# needs: gcc
. "${0%/*}/lib.sh"

sample=${NOMEM_EVERY:-0}
gcc -O1 -shared -fPIC -o "$work/nomem.so" "$top/test/kern/nomem.c" -ldl
gcc -O1 -I"$top/include" -o "$work/user" "$top/test/kern/nomem-user.c" -L"$top/build" -ldtrace
export LD_LIBRARY_PATH=$top/build

# user [N]: runs the program with allocation N failing.
user() {
	NOMEM_AT=${1:-} LD_PRELOAD=$work/nomem.so timeout -k 5 $((SLOWER * 20)) "$work/user" </dev/null >"$work/out" 2>"$work/err"
}

user
is "$?$(cat "$work/out")" "0done
closed" "with all allocations"
total=$(awk '/^allocations / { print $2 }' "$work/err")
positive "$total" "allocations are counted"
[ "$sample" -gt 0 ] || sample=$((total / 50 + 1))

tried=0
bad=
failed=0
for ((n = 1; n <= total; n += sample)); do
	user $n
	status=$?
	tried=$((tried + 1))
	failed=$((failed + $(grep -c 'Memory allocation failure (EDT_NOMEM)$' "$work/out")))
	# Without a failure the program has allocated less than before.
	if [ $status != 0 ] || [ "$(tail -n 1 "$work/out")" != closed ] || grep -q 'works again' "$work/out" ||
		! grep -q 'EDT_NOMEM\|^done$' "$work/out"; then
		bad+=" $n"
		note "allocation $n: status $status"
		note_file output "$work/out"
		note_file errors "$work/err"
	fi
done
is "$bad" "" "$tried allocations that fail"
between "$failed" $((tried * 9 / 10)) "$tried" "most of them are an error of the handle"
# No keeper, process or link of the programs is left.
ok "nothing is left" wait_for 10 sh -c "! pgrep -x uprobe-keeper -P 1"
done_testing
