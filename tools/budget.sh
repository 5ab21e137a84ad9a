#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# budget.sh [--write]: compares the number of instructions of each program in test/budget.txt with the number
# before it.  Programs are compiled at -x opt=2, and functions of the run-time library do not count.  A line "65
# +3 PROGRAM" has three instructions more than before.  --write stores the new numbers.
cd "${0%/*}/.." || exit 2
dtrace=${DTRACE:-build/dtrace}
list=test/budget.txt

count() {
	"$dtrace" -e -S -n "$1" 2>&1 |
		awk '/^[a-z_]+:$/ { is_ours = /^(probe|stub|error_clauses):/ }
			is_ours && /^ *[0-9]+\t/ { n++ } END { print n + 0 }'
}

grep -v '^#' $list | while IFS='	' read -r was program; do
	now=$(count "$program")
	if [ "${1:-}" = --write ]; then
		printf '%d\t%s\n' "$now" "$program"
	else
		printf '%5d %+5d  %s\n' "$now" $((now - was)) "$program"
	fi
done >build/budget
if [ "${1:-}" = --write ]; then
	{ grep '^#' $list; cat build/budget; } >build/budget.new && mv build/budget.new $list
else
	cat build/budget
fi
