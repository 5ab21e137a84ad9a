#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# layers.sh: checks that every file of src/ includes only its own folder and folders of lower rank.  ARCHITECTURE.md has
# the ranks.  Other folders may include neither private headers nor headers of src/prov.  Only src/base/file.c opens
# files.  Prints violations, and the number of includes between folders, of pairs of folders, and of circles of headers.
set -eu
cd "$(dirname "$0")/.."
includes=$(mktemp)
trap 'rm -f "$includes"' EXIT
# file, line, included file
find src -name '*.[ch]' | sort | xargs grep -n '^#include "' /dev/null |
	sed -E 's,^src/([^:]*):([0-9]*):#include "([^"]*)".*,\1 \2 \3,' >"$includes"
# comments name open(2) and freopen()
calls='(^|[^A-Za-z0-9_.>])(open|openat2?|creat|fopen|freopen|mkstemp|tmpfile)\([^2)]|NR_open'
if grep -rnE "$calls" src --include='*.[ch]' | grep -v '^src/base/file\.c:\|^[^:]*:[0-9]*:\(/\| \)\*'; then
	echo "only src/base/file.c opens files: see src/base/file.h"
	exit 1
fi
circles=$(awk '$1 ~ /\.h$/ && $3 ~ /\// { print $1, $3 }' "$includes" | tsort 2>&1 >/dev/null | grep -c 'loop:$' || true)
awk -v circles="$circles" '
NR == FNR {
	if (match($0, /^\| `src\/[a-z]*` \| [0-9]+ \|/)) {
		split($0, cell, /[`|\/ ]+/)
		rank[cell[3]] = cell[4]
	}
	next
}
{
	split($1, from, "/")
	split($3, to, "/")
	if (from[1] == to[1] || to[2] == "" || to[1] == "rt")
		next
	why = ""
	if (!(to[1] in rank))
		why = "has no rank in ARCHITECTURE.md"
	else if (from[1] in rank && rank[to[1]] >= rank[from[1]])
		why = "does not have a lower rank"
	else if (to[2] ~ /priv\.h$/)
		why = "is private"
	else if (to[1] == "prov")
		why = "is for providers only"
	if (why != "") {
		print "src/" $1 ":" $2 ": includes " $3 ", which " why
		bad = 1
	}
	n++
	pairs += !((from[1], to[1]) in seen)
	seen[from[1], to[1]] = 1
}
END {
	print n " includes between folders, " pairs + 0 " pairs of folders, " circles " circles of headers"
	exit bad || circles > 0
}' ARCHITECTURE.md "$includes"
