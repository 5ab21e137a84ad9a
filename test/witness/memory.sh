#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# memory.sh SEED COUNT: faults and pages of vminfo, and the row of pagefaults, beside getrusage, /proc/PID/io and memory.stat, under random
# faults of every kind in a cgroup with a limit.  Prints what differs, and "N values compared, N of them not zero, N wrong".
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
int64_t all_major, pages[string];
self string exact;
vminfo:::as_fault, vminfo:::prot_fault /pid == $target/ { faults++; }
vminfo:::maj_fault /pid == $target/ { major++; }
/* All processes of the cgroup. */
vminfo:::maj_fault /progenyof($target)/ { all_major++; }
/* Calls whose pages the load knows. */
syscall::getpriority:entry /pid == $target && arg1 >= 1000010/
{ self->exact = arg1 == 1000011 ? "zfod" : arg1 == 1000012 ? "cow_fault" : arg1 == 1000013 ? "pgpgin" : ""; }
vminfo:::zfod /self->exact == "zfod"/ { pages["zfod"] += arg0; }
vminfo:::cow_fault /self->exact == "cow_fault"/ { pages["cow_fault"] += arg0; }
vminfo:::pgpgin /self->exact == "pgpgin"/ { pages["pgpgin"] += arg0; }
/* A mark can repeat; the last one counts. */
syscall::getpriority:entry /pid == $target && arg1 == 1000001/ { faults = major = 0; }
syscall::getpriority:entry /pid == $target && arg1 == 1000002/ { n["faults"] = faults; n["major"] = major; }
dtrace:::END
{
	printf("faults %d\nmajor %d\npgmajfault %d\n", n["faults"], n["major"], all_major);
	printf("zfod %d\ncow_fault %d\npgpgin %d\n", pages["zfod"], pages["cow_fault"], pages["pgpgin"]);
}
END
"$top/test/witness/load_memory.py" "$work" "$cgroup" "$seed" "$count" &
load=$!
own_pids+=($load)
wait_for test -e "$work/ready" || { echo 'the load failed' >&2; exit 2; }
trace_start "$work/pagefaults" "$top/scripts/pagefaults" -p $load
trace_start "$work/out" "$dtrace" -qs "$work/d" -p $load
# The kernel adds the counts of its processors every two seconds.
stat_is_still() {
	grep '^pgmajfault ' "$cgroup/memory.stat" >"$work/stat"
	sleep 2.2
	grep '^pgmajfault ' "$cgroup/memory.stat" | cmp -s - "$work/stat"
}
wait_for stat_is_still
cp "$work/stat" "$work/stat.0"
: >"$work/go"
wait_for test -e "$work/ran" || { echo 'the load failed' >&2; exit 2; }
wait_for stat_is_still
trace_stop
: >"$work/stop"
wait $load || exit 2
awk -v load=$load '
	FILENAME ~ /want$/ { want[$1] = $2; next }
	FILENAME ~ /out$/ { got[$1] = $2; next }
	FILENAME ~ /stat.0$/ { want[$1] -= $2; next }
	FILENAME ~ /stat$/ { want[$1] += $2; next }
	$1 == load { got["pagefaults-FAULTS"] = $3; got["pagefaults-DISK"] = $6 }
	END {
		for (name in want)
			print (got[name] == want[name] ? "same" : "differs"), name, "process", got[name] + 0, want[name]
	}' "$work/want" "$work/stat.0" "$work/stat" "$work/out" "$work/pagefaults" >"$work/table"
report_table "$work/table"
