#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# mib.sh SEED COUNT: every counter of mib that has a name of nstat, beside nstat, in three namespaces (client, router, server) under random
# traffic.  Prints the counters that differ, and "N values compared, N wrong".
. "${0%/*}/lib_net.sh"

seed=${1:-1} count=${2:-200}
move_to_guest "$seed" "$count"
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
# The kernel discovers neighbours at any time.  So the counters are read outside of tracing and inside, and a number between
# the two is right.
for side in c r s; do counters $side >"$work/outer1.$side"; done
cat >"$work/load" <<END
#!/bin/bash
counters() { for side in c r s; do ip netns exec dtw$$-\$side nstat -asz | awk '/^[A-Z]/ { print \$1, \$2 }' >"$work/\$1.\$side"; done; }
counters inner1
"$load_net" "${ns[c]}" "${ns[r]}" "${ns[s]}" "$seed" "$count"
counters inner2
END
chmod +x "$work/load"
run_traced -qs "$work/d" -- "$work/load"
for side in c r s; do counters $side >"$work/outer2.$side"; done
for side in c r s; do
	number=number_$side
	awk -v side=$side -v number="${!number}" -v names="$names" '
		FILENAME ~ /outer1/ { high[$1] -= $2; next }
		FILENAME ~ /outer2/ { high[$1] += $2; next }
		FILENAME ~ /inner1/ { low[$1] -= $2; next }
		FILENAME ~ /inner2/ { low[$1] += $2; next }
		$2 == number { got[$1] = $3 }
		END {
			n = split(names, list)
			for (i = 1; i <= n; i++) {
				name = list[i]
				is_same = got[name] + 0 >= low[name] && got[name] + 0 <= high[name]
				print (is_same ? "same" : "differs"), name, side, got[name] + 0, high[name] + 0
			}
		}' "$work"/outer[12].$side "$work"/inner[12].$side "$work/out"
done >"$work/table"
report_table "$work/table"
