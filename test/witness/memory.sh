#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# memory.sh SEED COUNT: faults of vminfo, and the row of pagefaults, beside getrusage and memory.stat, under random faults of every kind in
# a cgroup with a limit.  Prints what differs, and "N values compared, N of them not zero, N wrong".
. "${0%/*}/lib.sh"

seed=${1:-1} count=${2:-40}
root=$(awk '$3 == "cgroup" && $4 ~ /(^|,)memory(,|$)/ { print $2; exit }' /proc/mounts) limit=memory.limit_in_bytes
if [ -z "$root" ]; then
	root=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts) limit=memory.max
	echo +memory >"$root/cgroup.subtree_control"
fi
cgroup=$root/dtw$$
mkdir "$cgroup" && echo 48M >"$cgroup/$limit" || exit 2
cat >"$work/d" <<'END'
int64_t faults, major, n[string];
vminfo:::as_fault, vminfo:::prot_fault /pid == $target/ { faults++; }
vminfo:::maj_fault /pid == $target/ { major++; }
/* A mark can repeat; the last one counts. */
syscall::getpriority:entry /pid == $target && arg1 == 1000001/ { faults = major = 0; }
syscall::getpriority:entry /pid == $target && arg1 == 1000002/ { n["faults"] = faults; n["major"] = major; }
dtrace:::END { printf("faults %d\nmajor %d\n", n["faults"], n["major"]); }
END
"$top/test/witness/load_memory.py" "$work" "$cgroup" "$seed" "$count" &
load=$!
own_pids+=($load)
trace_start "$work/pagefaults" "$top/scripts/pagefaults" -p $load
trace_start "$work/out" "$dtrace" -qs "$work/d" -p $load
: >"$work/go"
wait_for test -e "$work/ran" || { echo 'the load failed' >&2; exit 2; }
trace_stop
: >"$work/stop"
wait $load || exit 2
awk -v load=$load '
	FILENAME ~ /want$/ { want[$1] = $2; next }
	FILENAME ~ /out$/ { got[$1] = $2; next }
	$1 == load { got["pagefaults-FAULTS"] = $3; got["pagefaults-DISK"] = $6 }
	END {
		for (name in want)
			print (got[name] == want[name] ? "same" : "differs"), name, "process", got[name] + 0, want[name]
	}' "$work/want" "$work/out" "$work/pagefaults" >"$work/table"
report_table "$work/table"
