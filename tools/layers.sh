#!/bin/sh
# Check that every file of src/ includes only its own folder and folders of lower rank (the digits of
# ARCHITECTURE.md).  Prints the violations.
set -eu
cd "$(dirname "$0")/.."
find src -name '*.[ch]' | sort | xargs grep -n '^#include "' /dev/null | awk '
BEGIN {
	split("arch 0 base 0 kern 1 proc 1 type 2 ir 2 out 2 lang 3 opt 4 bpf 4 plan 5 lower 6 builtin 7 prov 7 run 8 cmd 9 rt -1", w, " ")
	for (i = 1; i in w; i += 2)
		rank[w[i]] = w[i + 1]
}
{
	split($0, part, ":")
	split(part[1], dir, "/")
	split($0, q, "\"")
	split(q[2], inc, "/")
	from = dir[2]
	to = inc[1]
	if (from == to || !(to in rank))
		next
	if (rank[to] >= rank[from]) {
		print part[1] ":" part[2] ": " from " may not include " q[2]
		bad = 1
	}
}
END { exit bad }'
