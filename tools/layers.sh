#!/bin/sh
# Checks that every file of src/ includes only its own folder and folders of lower rank (the ranks of
# ARCHITECTURE.md).  Prints the violations.
set -eu
cd "$(dirname "$0")/.."
find src -name '*.[ch]' | sort | xargs grep -n '^#include "' /dev/null | awk '
BEGIN {
	split("arch 0 base 0 sys 1 kern 2 proc 2 type 3 ir 3 out 3 lang 4 opt 5 bpf 5 plan 6 lower 7 builtin 8 prov 8 run 9 target 10 lib 10 cmd 11 rt -1", w, " ")
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
