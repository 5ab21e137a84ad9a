#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# mib.sh SEED COUNT: every counter of mib that has a name of nstat, beside nstat, in three namespaces (client, router, server) under random
# traffic.  Prints the counters that differ, and "N values compared, N wrong".
. "${0%/*}/lib.sh"

seed=${1:-1} count=${2:-200}
witness_net

# counters SIDE: prints the counters of a namespace.
counters() {
	ip netns exec "${ns[$1]}" nstat -asz | awk '/^[A-Z]/ { print $1, $2 }'
}

names=$("$dtrace" -ln 'mib:::' | awk 'NR > 1 && $NF ~ /^[A-Z]/ { print $NF }' | sort -u)
where=
for side in c r s; do
	number=$(stat -Lc %i "/run/netns/${ns[$side]}")
	where+="${where:+ || }args[1] == $number"
	eval "number_$side=$number"
done
for name in $names; do
	echo "mib:::$name /$where/ { @[probename, args[1]] = sum(args[0]); }"
done >"$work/d"
echo 'dtrace:::END { printa("%s %d %@d\n", @); }' >>"$work/d"
for side in c r s; do counters $side >"$work/before.$side"; done
run_traced -qs "$work/d" -- "$load_net" "${ns[c]}" "${ns[r]}" "${ns[s]}" "$seed" "$count"
for side in c r s; do counters $side >"$work/after.$side"; done
for side in c r s; do
	number=number_$side
	awk -v side=$side -v number="${!number}" -v names="$names" '
		FILENAME ~ /before/ { before[$1] = $2; next }
		FILENAME ~ /after/ { after[$1] = $2; next }
		$2 == number { got[$1] = $3 }
		END {
			n = split(names, list)
			for (i = 1; i <= n; i++) {
				name = list[i]
				want = after[name] - before[name]
				print (want == got[name] + 0 ? "same" : "differs"), name, side, got[name] + 0, want
			}
		}' "$work/before.$side" "$work/after.$side" "$work/out"
done >"$work/table"
report_table "$work/table"
