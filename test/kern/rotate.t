#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# rotate.t: with -o, SIGHUP makes a new file: no line is lost or doubled.
#
# guests: none
# needs: python3
. "${0%/*}/lib.sh"

# Writes single bytes, some thousand each second, and prints how many when it is stopped.
cat >"$work/writer" <<'E2'
import os, signal, time
ended = False
def end(*_):
    global ended
    ended = True
signal.signal(signal.SIGTERM, end)
null, n = os.open("/dev/null", os.O_WRONLY), 0
while not ended:
    for _ in range(50):
        os.write(null, b"x")
        n += 1
    time.sleep(0.001)
print(n)
E2

log=$work/log

# log_to OPTION...: starts dtrace in the background, with standard output to the log.
log_to() {
	rm -f "$log"*
	env --default-signal=HUP,INT "$dtrace" -q -o "$log" "$@" </dev/null >"$work/out" 2>"$work/err" &
	dtrace_pid=$!
	own_pids+=("$dtrace_pid")
	wait_for 20 test -s "$log"
}

# rotated NUMBER: renames the log, and waits for a new one.
rotated() {
	mv "$log" "$log.$1"
	kill -HUP "$dtrace_pid"
	wait_for 20 test -e "$log"
}

python3 "$work/writer" >"$work/count" &
writer=$!
own_pids+=("$writer")
log_to -x bufsize=16m -n 'BEGIN { printf("0\n"); } END { printf("%d\n", ++n); }
	syscall::write:entry /pid == $1 && arg0 == $2/ { printf("%d\n", ++n); }' $writer 3
for i in {101..120}; do
	rotated $i || break
	sleep 0.02
done
is "$i" 120 "a new file comes 20 times"
kill -TERM $writer
wait $writer
dtrace_stop
# Firings before tracing began were not seen, so the numbers are dtrace's own; the last one is of END.
last=$(grep . "$log" | tail -n 1)
ok "all lines are there once, in order" cmp -s <(cat "$log".1* "$log" | grep .) <(seq 0 "$last")
between $((last - 1)) 1000 "$(cat "$work/count")" "of thousands of events"
positive "$(find "$work" -name 'log.1*' -size +0 | wc -l)" "in several files"

# The writer's own count of its writes while it is traced.
log_to -x oformat=json -wc "python3 $work/writer" -n 'BEGIN { trace("begin"); }
	syscall::write:entry /pid == $target && arg0 == 3/ { trace(1); } tick-500ms { raised = 1; }
	syscall::write:entry /pid == $target && raised/ { raise(15); raised = 0; }'
rotated 1
wait_for 20 is_gone "$dtrace_pid"
wait "$dtrace_pid"
is "$(python3 -c 'import json, sys
records = [r for f in sys.argv[1:] for r in json.load(open(f))["dtrace"]["probes"]]
print(sum(o == {"value": 1} for r in records for o in r["output"]))' "$log.1" "$log")" "$(cat "$work/out")" \
	"documents: each file is one, and together they have all that the program counts"

log_to -n 'BEGIN { printf("begin\n"); } tick-100hz { printf("%d\n", ++n); }'
rm "$log"
mkdir "$log"
kill -HUP "$dtrace_pid"
wait_for 20 test -s "$work/err"
has "$work/err" "failed to open output file '$log': Is a directory" "a message names the file that cannot be opened"
rmdir "$log"
rotated 2 2>/dev/null
ok "and it goes on, in the next file" wait_for 10 test -s "$log"
kill -INT "$dtrace_pid"
wait "$dtrace_pid"
is $? 0 "to a good end"

# When a terminal closes, its programs end.
ok "without its terminal it ends" python3 - "$dtrace" "$work" <<'END'
import os, pty, sys, time
pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], ["dtrace", "-qo", sys.argv[2] + "/tty", "-n", 'BEGIN { printf("begin\\n"); } tick-1s { }'])
path = sys.argv[2] + "/tty"
for _ in range(400):
    if os.path.exists(path) and os.path.getsize(path):
        break
    time.sleep(0.05)
os.close(terminal)
for _ in range(400):
    if os.waitpid(pid, os.WNOHANG)[0]:
        sys.exit(0)
    time.sleep(0.05)
os.kill(pid, 9)
sys.exit(1)
END
is "$(timeout -s HUP 1 "$dtrace" -qn 'END { printf("end\n"); }' 2>&1 | grep .)" end "without -o it ends, as of other signals"
done_testing
