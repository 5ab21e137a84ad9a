#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# mib-scope.sh SEED COUNT: the counters of mib with -x cgroup, of a load whose processes have a cgroup of their own, in two
# namespaces; beside nstat, as no one else has traffic there.  A second load outside of the cgroup must count nothing.
# Prints what differs, and "N values compared, N of them not zero, N wrong".
. "${0%/*}/lib_lossy.sh"

seed=${1:-1} count=${2:-100}
move_to_guest "$seed" "$count"
root=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
cgroup=$root/dtw$$
mkdir "$cgroup" || exit 2
# All packets of these sessions have a socket of the load.
export RATE=0 WAYS='usual/orderly usual/orderly usual/idle datagrams/'
witness_lossy "$seed"
names=$("$dtrace" -ln 'mib:::' | awk 'NR > 1 && $NF ~ /^[A-Z]/ { print $NF }' | sort -u)
where=
for side in c s; do
	number=$(stat -Lc %i "/run/netns/${ns[$side]}")
	where+="${where:+ || }args[1] == $number"
	eval "number_$side=$number"
done
for name in $names; do
	echo "mib:::$name /$where/ { @[probename, args[1]] = sum(args[0]); }"
done >"$work/d"
# shellcheck disable=SC2028
echo 'dtrace:::END { printa("%s %d %@d\n", @); }' >>"$work/d"
cat >"$work/load" <<END
#!/bin/bash
counters() { for side in c s; do ip netns exec dtl$$-\$side nstat -asz | awk '/^[A-Z]/ { print \$1, \$2 }' >"$work/\$1.\$side"; done; }
counters before
(
	echo \$BASHPID >"$cgroup/cgroup.procs"
	exec "$top/test/witness/load_tcp.py" "${ns[c]}" "${ns[s]}" "$seed" "$count"
)
counters after
"$top/test/witness/load_tcp.py" "${ns[c]}" "${ns[s]}" "$seed" 10
END
chmod +x "$work/load"
"$dtrace" -x cgroup="$cgroup" -x bufsize=16m -qs "$work/d" -c "$work/load" -o "$work/out" >/dev/null 2>"$work/err" ||
	{ cat "$work/err" >&2; exit 2; }
# A counter whose packets have no socket is named by a message.
refused=$(sed -n 's/^dtrace: cannot enable mib:::\([^:]*\): with -x cgroup.*/\1/p' "$work/err")
grep -v '^dtrace: cannot enable mib:::.*: with -x cgroup' "$work/err" >&2
for side in c s; do
	number=number_$side
	awk -v side=$side -v number="${!number}" -v names="$names" -v refused=" ${refused//$'\n'/ } " '
		FILENAME ~ /before/ { want[$1] -= $2; next }
		FILENAME ~ /after/ { want[$1] += $2; next }
		$2 == number { got[$1] = $3 }
		END {
			n = split(names, list)
			for (i = 1; i <= n; i++) {
				name = list[i]
				if (index(refused, " " name " "))
					continue
				value = want[name]
				print (got[name] + 0 == value + 0 ? "same" : "differs"), name, side, got[name] + 0, value + 0
			}
		}' "$work"/{before,after}.$side "$work/out"
done >"$work/table"
report_table "$work/table"
