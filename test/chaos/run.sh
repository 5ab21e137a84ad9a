#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# run.sh [KIND [SEED [COUNT]]]: runs a kind of chaos, or all, with a seed (default 1) and a number of rounds.
#
# Each kind disturbs dtrace in its own way, and counts what must not happen.  docs/security.md says what the kinds do.
# SANITIZED is a dtrace with a sanitizer, for the kinds that test memory.
# The status is 1 if anything happened; the last lines repeat the kind with the same seed.
cd "${0%/*}" || exit
seed=${2:-1}
status=0
rows=
for name in ${1:-*}; do
	name=${name%.sh}
	case $name in lib | run | *.*) continue ;; esac
	[ -e "$name.sh" ] || { echo "chaos: no kind $name" >&2; exit 2; }
	used=${DTRACE:-}
	case $name in storms | peers | mutants) used=${SANITIZED:-$used} ;; esac
	out=$(DTRACE=$used "./$name.sh" "$seed" ${3:+"$3"})
	grep '^#' <<<"$out"
	row=$(grep '^row ' <<<"$out") || { echo "chaos: $name did not come to its end" >&2; row="row $name - - - - - -"; status=1; }
	rows+=$row$'\n'
	[[ $row =~ ^row\ [a-z]+\ [0-9]+(\ 0){5}$ ]] || {
		status=1
		rows+="# make chaos NAME=$name SEED=$seed${3:+ COUNT=$3}"$'\n'
	}
done
printf '%-10s %7s %7s %7s %12s %16s %11s\n' kind rounds deaths hangs 'left behind' 'without message' 'wrong sums'
printf '%s' "$rows" | awk '/^row/ { printf "%-10s %7s %7s %7s %12s %16s %11s\n", $2, $3, $4, $5, $6, $7, $8; next } { print }'
exit $status
