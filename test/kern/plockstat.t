#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# plockstat: locks of a program that counts its own operations.
#
# guests: none
. "${0%/*}/lib.sh"

program=$top/build/test-plocks
dtrace_run -qn 'plockstat$target:::mutex-*, plockstat$target:::rw-* { @[probename, arg0, arg1, arg2] = count(); }
	plockstat$target:::mutex-acquire { self->held[arg0] = timestamp; }
	plockstat$target:::mutex-block { self->from = timestamp; }
	plockstat$target:::mutex-blocked /self->from/ { @time[arg0] = max((timestamp - self->from) / 1000000); self->from = 0; }
	END { printa("%s %d %d %d|%@d\n", @); printa("blocked ms %d|%@d\n", @time); }' -c "$program"
read -r _ shared held nested rw < <(grep '^addresses' "$work/out")
read -r _ rounds busy turns < <(grep '^counts' "$work/out")

# n NAME LOCK [ARG [ARG]]: prints how often the event happened.
n() {
	awk -F '|' -v key="$*" 'index($1 " ", key " ") == 1 { n += $2 } END { print n + 0 }' "$work/out"
}

is "$(n mutex-acquire "$shared")" "$rounds" "every lock is acquired"
is "$(n mutex-release "$shared")" "$rounds" "and released"
is "$(n mutex-error "$shared" 16)" "$busy" "attempts that fail"
is "$(n mutex-blocked "$shared" 1)" "$(n mutex-block "$shared")" "who waits for one gets it"
between "$(n mutex-block "$shared")" 1 "$busy" "nobody waits for one that is free"
is "$(n mutex-block "$held") $(n mutex-blocked "$held" 1)" "1 1" "one thread sleeps for a mutex"
between "$(n blocked ms "$held")" 200 20000 "as long as it is held"
is "$(n mutex-acquire "$held")" $((4 + turns)) "a mutex that a condition is waited for with"
is "$(n mutex-release "$held")" $((4 + turns)) "is released for that time"
is "$(n mutex-acquire "$nested" 0) $(n mutex-acquire "$nested" 1)" "1 2" "recursive locks"
is "$(n mutex-release "$nested" 1) $(n mutex-release "$nested" 0)" "2 1" "and their release"
is "$(n rw-acquire "$rw" 0) $(n rw-acquire "$rw" 1) $(n rw-release "$rw" 0) $(n rw-release "$rw" 1)" "1 1 1 1" \
	"a reader, and a writer"
is "$(n rw-block "$rw" 1) $(n rw-blocked "$rw" 1 1) $(n rw-block "$rw" 0)" "1 1 0" "who sleeps for it"

# Two processes at a time, each by its pid.
"$program" forever &
first=$!
own_pids+=("$first")
"$program" forever &
second=$!
own_pids+=("$second")
dtrace_run -qn "plockstat$first:::mutex-acquire, plockstat$second:::mutex-acquire { @[pid, probeprov] = count(); }
	tick-2s { exit(0); } END { printa(\"%d %s|%@d\n\", @); }"
positive "$(n "$first plockstat$first")" "one process"
positive "$(n "$second plockstat$second")" "and another"

for name in plockstat 'plockstat*' plockstat1x; do
	dtrace_run -n "$name:::mutex-acquire"
	has "$work/err" 'plockstat is followed by the number of a process: plockstat1234' "$name: no process"
done
dtrace_run -n "plokstat$first:::mutex-acquire"
has "$work/err" "did you mean plockstat$first:::mutex-acquire\?" "a provider that is misspelt"
dtrace_run -n "plockstat$first:::mutex-aquire"
has "$work/err" "did you mean plockstat$first:::mutex-acquire\?" "a probe that is misspelt"
dtrace_run -n 'plockstat999999999:::mutex-acquire'
is $status 1 "a process that is not there"
has "$work/err" '999999999' "is named"

done_testing
