#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# targets.sh: cost of tracing a guest from here, compared with dtrace in the guest.  It measures records per second,
# the time from a firing to its line, and the times of a traced call and of a run that does nothing.  The guest and
# its processors are emulated, so only the ratios count.
. "${0%/*}/../kern/lib.sh"
. "${0%/*}/../kern/targets.sh"

calls=100000

start_guest guest 6.12
guest_is_up guest || exit 1

# from_here [OPTIONS] PROGRAM: traces in the background until it ends or is ended; returns when it traces.
from_here() {
	: >"$work/out"
	timeout 100 "$dtrace" -E "${targets[@]}" -q ${2:+$1} -n "${2:-$1}" >"$work/out" 2>"$work/err" &
	pid=$!
	wait_for 60 grep -q ready "$work/out"
}

# in_there PROGRAM: does the same in the guest.
in_there() {
	in_guest guest "build/dtrace -q -n '${1//guest:syscall/syscall}' >/tmp/out & pid=\$!; while ! grep -q ready /tmp/out; do sleep 0.05; done
		$2; wait \$pid; tail -n 2 /tmp/out"
}

# call_ns: prints the nanoseconds of a call of test-calls, timed in the guest, while $1 traces from here; "" for
# nothing.
call_ns() {
	in_guest guest "a=\$(date +%s%N); build/test-calls $calls 1; b=\$(date +%s%N); echo \$(((b - a) / $calls))"
}

program='guest:syscall::lseek:entry /execname == "test-calls" && (int)arg0 == -1/ { @ = count(); }
	BEGIN { printf("ready\n"); } tick-1s /n++ == 30/ { exit(0); }'
untraced=$(call_ns)
from_here "$program"
from=$(call_ns)
kill -TERM $pid
wait $pid 2>/dev/null
there=$(in_there "$program" "a=\$(date +%s%N); build/test-calls $calls 1; b=\$(date +%s%N); echo \$(((b - a) / $calls)); kill \$pid" |
	grep -E '^[0-9]+$' | head -n 1)
echo "a counted call, ns: untraced $untraced, traced in the guest $there, from here $from ($(awk "BEGIN { printf \"%.2f\", $from / $there }"))"

# Records: how many arrive when the guest makes them as fast as it can, and for how long.  The clause runs where it
# fires, or at the host.
for where in target host; do
	from_here "-x execute=$where" 'guest:syscall::lseek:entry /execname == "test-calls" && (int)arg0 == -1/ { printf("%d\n", timestamp); }
		BEGIN { printf("ready\n"); } tick-1s /n++ == 12/ { exit(0); }'
	in_guest guest "build/test-calls $calls 1"
	wait $pid
	grep -E '^[0-9]+$' "$work/out" >"$work/times"
	dropped=$(sed -n 's/^dtrace: guest: \([0-9]*\) drops.*/\1/p' "$work/err" | awk '{ n += $1 } END { print n + 0 }')
	awk -v dropped="$dropped" -v where=$where 'NR == 1 { first = $1 } { last = $1 }
		END { printf "records, -x execute=%s: %d shown, %d dropped, %.0f a second\n", where, NR, dropped,
			NR * 1e9 / (last - first) }' "$work/times"
done

# The time from the firing to the line, for one firing each 20 ms.
timeout 100 "$dtrace" -E "${targets[@]}" -q -n '
	guest:syscall::lseek:entry /execname == "test-calls" && (int)arg0 == -1/ { printf("%d\n", timestamp); }
	BEGIN { printf("ready\n"); } tick-1s /n++ == 20/ { exit(0); }' 2>/dev/null |
	python3 -c '
import sys, time
late = []
for line in sys.stdin:
    if line.strip() == "ready":
        open(sys.argv[1], "w").close()
    elif line.strip().isdigit():
        late.append((time.monotonic_ns() - int(line)) / 1e6)
late.sort()
print("from a firing to its line, ms: median %.1f, 90 %% %.1f, most %.1f of %d" %
      (late[len(late) // 2], late[len(late) * 9 // 10], late[-1], len(late)))' "$work/ready" &
pid=$!
wait_for 60 test -e "$work/ready"
in_guest guest 'for i in $(seq 50); do build/test-calls 1 1; sleep 0.02; done'
wait $pid

# Runs that do nothing: on the host alone, with a target whose types are cached here, and with one whose types are
# not.
run_ms() {
	local a b
	a=$(date +%s%N)
	"$@" >/dev/null 2>&1
	b=$(date +%s%N)
	echo $(((b - a) / 1000000))
}
alone=$(run_ms "$dtrace" -q -n 'BEGIN { exit(0); }')
kept=$(run_ms "$dtrace" -E "${targets[@]}" -q -n 'host:dtrace:::BEGIN { exit(0); } guest:syscall::read:entry { @ = count(); }')
mv /var/cache/dtrace "$work/cache"
fetched=$(run_ms "$dtrace" -E "${targets[@]}" -q -n 'host:dtrace:::BEGIN { exit(0); } guest:syscall::read:entry { @ = count(); }')
echo "a run that ends at once, ms: here $alone, with a guest whose types are kept $kept, are fetched $fetched"
