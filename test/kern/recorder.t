#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# recorder.t: snapshots of buffers under policy ring, by snapshot() and by SIGUSR1, while tracing goes on.
# rows: snapshot
# guests: 6.1
. "${0%/*}/lib.sh"

calls=$top/build/test-calls

# numbers FILE...: prints the numbers in these files, one after the other, as ranges.
numbers() {
	awk '/^[0-9]+$/ { if (!n++ || $1 != last + 1) { printf "%s%d", (n > 1 ? "-" last " " : ""), $1 } last = $1 }
		END { if (n) print "-" last }' "$@"
}

# The last call asks for a snapshot.
dtrace_run -q -x bufpolicy=ring -o "$work/trace-%n" -n '
	syscall::lseek:entry /pid == $target/ { printf("%d\n", arg1); }
	syscall::lseek:entry /pid == $target && arg1 == 99/ { snapshot(); }' -c "taskset -c 0 $calls 100 100"
is $status 0 "a file for a snapshot, and one for the end" || note_file errors "$work/err"
is "$(cd "$work" && echo trace-*)" "trace-1 trace-2" "their names"
is "$(numbers "$work/trace-1")" 0-99 "everything before the snapshot is in its file"
is "$(numbers "$work/trace-2")" "" "... and not in the next one"

cat >"$work/many.sh" <<-END
	for i in 1 2 3 4 5 6 7 8; do $calls 5000 5000; done
END
dtrace_run -q -x bufpolicy=ring -x bufsize=4m -o "$work/many-%n" -n '
	int n;
	syscall::lseek:entry /progenyof($target)/ { printf("%d\n", n++); }
	syscall::exit_group:entry /progenyof($target) && execname == "test-calls"/ { snapshot(); }' \
	-c "taskset -c 0 sh $work/many.sh"
positive "$(($(find "$work" -name 'many-*' | wc -l) - 1))" "a snapshot, and a file for the end"
is "$(numbers $(find "$work" -name 'many-*' | sort -V))" 0-39999 "each record is in one file, in order"

# With a name that has no number the snapshots follow each other.
dtrace_run -q -x bufpolicy=ring -n 'syscall::lseek:entry /pid == $target/ { printf("%d\n", arg1); }
	syscall::lseek:entry /pid == $target && arg1 % 100 == 0/ { snapshot(); }' -c "taskset -c 0 $calls 1000 1000"
is "$(numbers "$work/out")" 0-999 "without files"

# The ring holds the newest records, however many come between two snapshots.
dtrace_run -q -x bufpolicy=ring -x bufsize=24k -n 'syscall::lseek:entry /pid == $target/ { printf("%d\n", arg1); }
	syscall::exit_group:entry /pid == $target/ { snapshot(); }' -c "taskset -c 0 $calls 20000 20000"
is "$(numbers "$work/out")" 18976-19999 "as many as the buffer holds"

# A signal, and files that exist.
touch "$work/sig-1" "$work/sig-2"
"$dtrace" -q -x bufpolicy=ring -o "$work/sig-%n" -n 'tick-100hz { printf("%d\n", ++n); }' </dev/null 2>"$work/err" &
recorder=$!
own_pids+=("$recorder")
ok "it records" wait_for 20 is_tracing $recorder
# asked N: asks for snapshots until N files have records. A snapshot that is taken before the first tick has none.
asked() {
	[ "$(grep -l '[0-9]' "$work"/sig-* 2>/dev/null | wc -l)" -ge "$1" ] || { kill -USR1 "$recorder"; return 1; }
}
ok "SIGUSR1 makes a file" wait_for 20 asked 1
ok "... and another one" wait_for 20 asked 2
kill -TERM "$recorder"
wait "$recorder"
is $? 0 "a signal ends it"
is "$(cat "$work/sig-1" "$work/sig-2")" "" "existing files are kept"
is "$(numbers $(find "$work" -name 'sig-*' | sort -V) | tr -dc ' ' | wc -c)" 0 "no record is lost, or there twice"

# early OPTIONS: sends SIGUSR1 while dtrace waits for its program, which it reads from a pipe.
early() {
	mkfifo "$work/early"
	"$dtrace" -q "$@" -s "$work/early" </dev/null >"$work/early.out" 2>"$work/err" &
	recorder=$!
	own_pids+=("$recorder")
	wait_for 20 catches "$recorder"
	kill -USR1 "$recorder"
	# A dtrace that the signal has ended opens the pipe no more.
	timeout 5 bash -c 'echo "tick-100hz { printf(\"%d\n\", ++n); }" >"$1"' early "$work/early"
	rm "$work/early"
}
# catches PID: SIGUSR1 is bit 9.
catches() {
	[ $((0x$(sed -n 's/^SigCgt:[[:space:]]*//p' "/proc/$1/status") >> 9 & 1)) = 1 ]
}
early -x bufpolicy=ring -o "$work/early-%n"
ok "an early SIGUSR1 does not end dtrace" wait_for 20 is_tracing "$recorder"
ok "but is a request" wait_for 20 test -e "$work/early-1"
kill -TERM "$recorder"
wait "$recorder"
is $? 0 "and the run goes on"
early
wait "$recorder"
is "$? $(cat "$work/err")" "1 dtrace: interrupted before tracing began" "without a ring it ends the run in order"

# Data that acts on the consumer acts once.
dtrace_run -q -x bufpolicy=ring -n 'syscall::lseek:entry /pid == $target/ { @ = count(); }
	syscall::lseek:entry /pid == $target && arg1 % 10 == 9/ { printa("%@d\n", @); clear(@); snapshot(); }
	END { printf("end\n"); }' -c "taskset -c 0 $calls 100 100"
is "$(awk 'NF == 1 && $1 ~ /^[0-9]+$/ { n += $1 } END { print n + 0 }' "$work/out")" 100 "printa() and clear() act once"

says() {
	local text=$1 want=$2
	shift 2
	dtrace_run "$@"
	is "$status $(cat "$work/err")" "1 dtrace: $want" "$text"
}
says "without a ring there is nothing to take" \
	"failed to enable 'BEGIN { snapshot(); }': snapshot() needs -x bufpolicy=ring" -n 'BEGIN { snapshot(); }'
says "... and no number" "'$work/x-%n': a number for %n needs -x bufpolicy=ring" -o "$work/x-%n" -n 'BEGIN { exit(0); }'
says "a folder that is not there" "failed to open output file '/nonexistent/x-%n': No such file or directory" \
	-x bufpolicy=ring -o '/nonexistent/x-%n' -n 'BEGIN { exit(0); }'

done_testing
