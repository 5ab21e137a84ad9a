#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# lockstat.t: the lockstat provider, compared with the kernel's own trace of the same threads (test/kern/locks.c).
#
# guests: 6.12
. "${0%/*}/lib.sh"

instance=/sys/kernel/tracing/instances/dtr$$
mkdir "$instance" || { ok "the kernel's own trace" false; done_testing; }
trap 'echo 0 >"$instance/events/lock/enable"; rmdir "$instance"; cleanup' EXIT

# own_trace: prints lines KIND COUNT NANOSECONDS from the kernel's trace.  A processor waits for a spin lock,
# threads wait for all others; for a mutex a thread spins and sleeps in turns.
own_trace() {
	awk 'NR == FNR { if ($1 == "thread") ours[$2] = 1 }
	NR != FNR && match($0, /-[0-9]+ +\[[0-9]+\]/) {
		split(substr($0, RSTART + 1, RLENGTH - 1), at, /[ \[\]]+/)
		if (!(at[1] in ours)) next
		for (i = 1; i <= NF; i++)
			if ($i ~ /^contention_/) { what = $i; lock = $(i + 1); time = $(i - 1) * 1000000 }
		flags = $0; sub(/.*flags=/, "", flags)
		spins = flags ~ /SPIN/ && flags !~ /MUTEX/
		if (what ~ /begin/ && spins) {
			n = ++depth[at[2]]
			top[at[2], n] = lock; since[at[2], n] = time; kinds[at[2], n] = flags
		} else if (what ~ /begin/) {
			t = at[1]
			if (waits[t] == lock)
				spent[t, mode[t]] += time - begin[t]
			else
				spent[t, "spin"] = spent[t, "block"] = had[t, "spin"] = had[t, "block"] = 0
			waits[t] = lock; begin[t] = time; kind[t] = flags
			mode[t] = flags ~ /SPIN/ ? "spin" : "block"; had[t, mode[t]] = 1
		} else if ((n = depth[at[2]]) && top[at[2], n] == lock) {
			depth[at[2]]--
			name = kinds[at[2], n] ~ /READ|WRITE/ ? "rw-spin" : "spin-spin"
			if (/ret=0/) { count[name]++; sum[name] += time - since[at[2], n] }
		} else if (waits[t = at[1]] == lock) {
			waits[t] = ""
			spent[t, mode[t]] += time - begin[t]
			family = kind[t] ~ /READ|WRITE/ ? "rw" : kind[t] ~ /MUTEX|RT/ ? "adaptive" : "other"
			for (m = 0; m < 2; m++) {
				name = m ? "spin" : "block"
				if (/ret=0/ && had[t, name]) {
					count[family "-" name]++; sum[family "-" name] += spent[t, name]
				}
			}
		}
	} END { for (name in count) printf "%s %d %.0f\n", name, count[name], sum[name] * 1000 }' \
		"$work/out" "$instance/trace"
}

# own KIND FIELD: prints a field of the kernel's trace: 2 is the count, 3 the time.
own() {
	awk -v kind="$1" -v field="$2" '$1 == kind { n = $field } END { printf "%.0f", n }' "$work/own"
}

# seen KIND FIELD: prints the same field of dtrace's lines.
seen() {
	awk -v kind="$1" -v field="$2" '$1 == kind { n = $field } END { printf "%.0f", n }' "$work/out"
}

threads=6
n=2000
[ -z "${GUEST:-}" ] || n=300
kinds='adaptive-block adaptive-spin rw-block rw-spin spin-spin'
for kind in $kinds; do
	program+="lockstat:::$kind /pid == \$target && tid != pid/ { @n${kind/-/_} = count(); @t${kind/-/_} = sum(arg1); }
	END { printa(\"$kind %@d %@d\\n\", @n${kind/-/_}, @t${kind/-/_}); }"
done

# The kernel skips a firing that interrupts one of the same probe, and dtrace reports it.  The counts are then too small,
# so the run is repeated.
echo 8192 >"$instance/buffer_size_kb"
for _ in 1 2 3; do
	: >"$instance/trace"
	echo 1 >"$instance/events/lock/enable"
	dtrace_run -q -c "$top/build/test-locks $n $threads" -n "$program"
	echo 0 >"$instance/events/lock/enable"
	grep -q 'nested firings missed' "$work/err" || break
done
ok "dtrace ends with status 0" test "$status" = 0
ok "dtrace reports no drops, errors or faults" dtrace_is_quiet
is "$(cat "$instance"/per_cpu/cpu*/stats | awk '/overrun/ { n += $NF } END { print n }')" 0 "the kernel's trace is whole"
own_trace >"$work/own"
for kind in $kinds; do
	count=$(own "$kind" 2) time=$(own "$kind" 3)
	is "$(seen "$kind" 2)" "$count" "$kind fires for each lock that was waited for"
	# Two clocks are read one after the other, and the machine can interrupt a guest's processor in between.
	slack=$((time / 20 + count * 20000 + ${GUEST:+30000000} + 0))
	between "$(seen "$kind" 3)" $((time - slack)) $((time + slack)) "$kind has the time that was waited"
done
positive "$(awk '$1 ~ /-(spin|block)$/ { m += $2 } END { print m + 0 }' "$work/own")" "locks were waited for"

# Each thread takes the mutex of a pipe for each write and read, and a rw_semaphore for each mapping that it makes
# and removes.
if may_probe_functions; then
	n=20
	dtrace_run -q -c "$top/build/test-locks $n $threads" -n '
	lockstat:::adaptive-acquire, lockstat:::adaptive-release /pid == $target && tid != pid/ { @[probename] = count(); }
	lockstat:::rw-acquire, lockstat:::rw-release /pid == $target && tid != pid/
	{ @k[probename, arg1 == RW_READER ? "reader" : "writer"] = count(); }
	lockstat:::rw-downgrade /pid == $target && tid != pid/ { @k["rw-release", "writer"] = count();
	    @k["rw-acquire", "reader"] = count(); }'
	ok "functions: dtrace ends well and drops nothing" dtrace_is_quiet
	ok "each mutex that was taken is seen" test "$(value adaptive-acquire)" -ge $((2 * n * threads))
	is "$(value adaptive-release)" "$(value adaptive-acquire)" "it is released as often"
	ok "each rw_semaphore, too" test "$(value rw-acquire writer)" -ge $((2 * n * threads))
	is "$(value rw-release writer)" "$(value rw-acquire writer)" "by writers as often"
	is "$(value rw-release reader)" "$(value rw-acquire reader)" "and by readers"
else
	skip "taking and releasing" "the kernel lets no functions be traced"
fi

dtrace_run -q -c "$top/build/test-locks 300 $threads" -n 'lockstat:::adaptive-block { @[stack(), arg0] = sum(arg1); }'
ok "the stacks of who waits for a mutex" dtrace_is_quiet

done_testing
