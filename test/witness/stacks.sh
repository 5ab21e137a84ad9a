#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# stacks.sh SEED COUNT: names and number of the frames of ustack(), at a system call and at a pid probe, beside the list of functions that
# random C programs keep.  Prints what differs, the flags of such a program, and "N values compared, N of them not zero, N wrong".
. "${0%/*}/lib.sh"

seed=${1:-1} count=${2:-6}
"$top/test/witness/load_stacks.py" "$work" "$seed" "$count" || exit 2
cat >"$work/d" <<'END'
int n;
syscall::getpriority:entry /pid == $target/ { printf("STOP syscall %d\n", arg1); ustack(100); }
/* The number of the next stop. */
pid$target:$1:leaf:entry { printf("STOP pid %d\n", ++n); ustack(100); }
END
for ((i = 0; i < count; i++)); do
	rm -f "$work/out"
	"$dtrace" -x bufsize=16m -x ustackframes=100 -qs "$work/d" -c "$work/prog$i" -o "$work/out" "prog$i" \
		>"$work/chains" 2>"$work/err" || { cat "$work/err" >&2; exit 2; }
	cat "$work/err" >&2
	"${0%/*}/stacks.py" "$work/chains" "$work/out" "prog$i" >"$work/rows"
	grep -q '^differs' "$work/rows" && echo "# prog$i: $(sed -n "$((i + 1))p" "$work/flags")"
	cat "$work/rows" >>"$work/table"
done
report_table "$work/table"
