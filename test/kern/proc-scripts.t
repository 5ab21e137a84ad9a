#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# proc-scripts.t: the ready scripts about processes and signals, and one-liners, show what happened.
#
# guests: none
# needs: python3
. "${0%/*}/lib.sh"
. "${0%/*}/tools.sh"

procs=$top/build/test-procs

# show WORD TOOL OPTION...: traces with the tool until the commands on standard input have run and $later seconds are over;
# $made has their output.
show() {
	tool_start "$@"
	made=$(bash -s "$procs")
	sleep "${later:-0}"
	tool_stop
}

# sees_new TOOL: the tool prints nothing when it starts tracing, so its event is repeated until the tool shows it.
sees_new() {
	"$work/toolprocs" "$@" >/dev/null &
	made=$!
	wait $made
	sleep 0.3
	grep -q exec-success "$work/out"
}

program toolprocs "$procs"
tool_start FUNCTION newproc -n toolprocs
wait_for 30 sees_new nothing "an argument"
"$procs" nothing
tool_stop
has "$work/out" "exec-success +$work/toolprocs nothing an argument *\$" "newproc: the program and its arguments"
ok "newproc says nothing else" test ! -s "$work/err" || note_file errors "$work/err"
is "$(grep -c 'test-procs' "$work/out")" 0 "newproc -n: only processes of this name"

# A process that sends no signals.
sleep 1000 &
silent=$!
own_pids+=("$silent")

signals() {
	show COMMAND "$@" <<-'END'
		trap : USR1
		kill -USR1 $$
		kill -URG $$
		kill -9 4194305 2> /dev/null
		echo $$
	END
}

# lines_of COLUMN NUMBER: prints how many lines of a snoop are about other signals, and how many about this one.
lines_of() {
	awk -v column="$1" -v signal="$2" '$1 ~ /^[0-9]+$/ { n[$column == signal]++ } END { print n[0] + 0, n[1] + 0 }' "$work/out"
}

signals killsnoop
has "$work/out" "^ *$made +bash +10 $made +0\$" "killsnoop: a signal"
has "$work/out" "^ *$made +bash +9 4194305 +-1\$" "killsnoop: a signal that fails"
signals killsnoop -p "$silent"
is "$(lines_of 3 0)" "0 0" "killsnoop -p: nobody else"
signals killsnoop -n bash -S 23
has "$work/out" "^ *$made +bash +23 $made +0\$" "killsnoop -n -S: one signal"
is "$(lines_of 3 23 | cut -d ' ' -f 1)" 0 "killsnoop -S: no other"
signals killsnoop -x
has "$work/out" "^ *$made +bash +9 4194305 +-1\$" "killsnoop -x: what fails"
is "$(awk '$NF == 0' "$work/out")" "" "killsnoop -x: nothing else"

signals sigsnoop
has "$work/out" "^ *$made bash +sends +10 +$made bash\$" "sigsnoop: a signal that is sent"
has "$work/out" "^ *$made bash +handles +10\$" "sigsnoop: a signal that is handled"
has "$work/out" "^ *$made bash +ignores +23\$" "sigsnoop: a signal that is ignored"
signals sigsnoop -S 10 -n bash
has "$work/out" "^ *$made bash +handles +10\$" "sigsnoop -n -S: one signal"
is "$(lines_of 4 10 | cut -d ' ' -f 1)" 0 "sigsnoop -S: no other"
signals sigsnoop -p "$silent"
is "$(lines_of 4 0)" "0 0" "sigsnoop -p: nobody else"

# Signals with and without a process as the sender.
cat >"$work/signals.py" <<'END'
import ctypes, os, signal, sys, time
def quiet(*args):
    pass
for number in (signal.SIGALRM, signal.SIGPROF, signal.SIGXCPU, signal.SIGPIPE):
    signal.signal(number, quiet)
def sleep_until_a_signal(which):
    signal.setitimer(which, 0.01)
    while signal.getitimer(which)[0]:
        pass
for i in range(5):
    sleep_until_a_signal(signal.ITIMER_REAL)
for i in range(5):
    sleep_until_a_signal(signal.ITIMER_PROF)
r, w = os.pipe()
os.close(r)
try:
    os.write(w, b"x")
except OSError:
    pass
child = os.fork()
if not child:
    ctypes.string_at(0)
os.wait()
print(os.getpid(), child)
END
program tpysig "$(python3 -c 'import sys; print(sys.executable)')"
tool_start COMMAND sigsnoop -n tpysig
read -r made child < <("$work/tpysig" -S "$work/signals.py")
timeout 0.2 "$work/tpysig" -S -c 'import time; time.sleep(9)'
tool_stop
# A kernel can refuse to run programs in a protected process.  It then hides signals of timers while this process runs.
is "$(awk -v made="$made" '$3 == "sends" && $5 == made { print $1, $2, $4 }' "$work/out" | uniq)" "0 timer 14
0 timer 27
$made tpysig 13
$child tpysig 17" "sigsnoop: timers, a closed pipe and a child as senders"
is "$(awk -v child="$child" '$3 == "sends" && $5 == child { print $1, $2, $4 }' "$work/out")" "0 kernel 11" "sigsnoop: the kernel as the sender"
has "$work/out" '^ *[0-9]+ timeout +sends +15 +[0-9]+ tpysig$' "sigsnoop: another process as the sender"
tool_start COMMAND sigsnoop -S 14
timeout 0.2 sleep 9
tool_stop
has "$work/out" '^ *0 timer +sends +14 +[0-9]+ timeout$' "sigsnoop: a timer of timer_create(2)"

sum_of_made() {
	awk '/^ +[0-9]+ [A-Z]/ && NF == 6 { sum += $6 } END { print sum + 0 }' "$work/out"
}

later=1.5 show LASTPID pidspersec <<'END'
(exit 0)
END
positive "$(sum_of_made)" "pidspersec: processes are made"
cp "$(type -P bash)" "$work/toolbash"
later=1.5 show LASTPID pidspersec -n toolbash <<END
"$work/toolbash" -c '(exit 0); (exit 0); (exit 0); exit'
(exit 0)
END
is "$(sum_of_made)" 3 "pidspersec -n: those that processes of a name make"

show Tracing shortlived <<'END'
exec -a parent bash -c '"$1" nothing & wait; echo $$; exit' - "$1"
END
made=${made##*$'\n'}
has "$work/out" "^ +test-procs +[0-9]+ ms\$" "shortlived: time by program"
has "$work/out" "^ +$made bash +[0-9]+ ms\$" "shortlived: time by parent"
show Tracing shortlived -P $$ -n test-procs <<'END'
"$1" nothing
END
is "$(grep -c ' ms$' "$work/out")" 0 "shortlived -P: no children of others"
tool_start Tracing shortlived -P $$ -n test-procs
"$procs" nothing
tool_stop
is "$(awk '$NF == "ms" { print $1, (NF > 3 ? $2 : "-") }' "$work/out" | paste -sd ' ')" "test-procs - $$ $(cat /proc/$$/comm)" "shortlived -P: a child"

life() {
	awk -v pid="$1" '$2 == pid { print $4 }' "$work/out" | paste -sd ' '
}

show EVENT lifecycle <<'END'
"$1" nothing > /dev/null &
echo $!
wait
END
is "$(life "$made")" "created starts tries executes ends" "lifecycle: from the creation to the end"
has "$work/out" " $made .* ends +status 0, [0-9]+ ms\$" "lifecycle: how it ends, and when"
tool_start EVENT lifecycle -p $$
"$procs" nothing &
made=$!
wait $made
bash -c '(exit 0); exit'
tool_stop
is "$(life "$made")" "created starts tries executes ends" "lifecycle -p: children"
is "$(awk -v pid=$$ '$1 ~ /^[0-9]+$/ && $2 != pid && $3 != pid' "$work/out")" "" "lifecycle -p: not theirs"

# snoop OPTION...: runs execsnoop until it has shown a program, whose process id goes to $made.
snoop() {
	env --default-signal=INT DTRACE="$dtrace" "$top/scripts/execsnoop" "$@" >"$work/out" 2>"$work/err" &
	dtrace_pid=$!
	own_pids+=("$dtrace_pid")
	wait_for 30 sees_program
	end_pid "$dtrace_pid" INT
}

sees_program() {
	"$procs" nothing $'two\nlines' >/dev/null &
	made=$!
	wait $made
	sleep 0.3
	grep -q "^[^a-z]*[ 0-9a-zA-Z:]* $made .*nothing" "$work/out"
}

has_line() {
	has "$work/out" "$1" "$2" || note_file "standard error" "$work/err"
}

snoop
has_line '^ *UID +PID +PPID ARGS$' "execsnoop: the columns"
has_line "^ *0 +$made +$$ $procs nothing two\$" "execsnoop: user, process, parent, arguments"
snoop -e -c test-procs
has_line "^ *0 +$made +$$ $procs nothing two.nlines\$" "execsnoop -e: in one line"
is "$(awk 'NR > 1 && NF && !/test-procs/' "$work/out")" "" "execsnoop -c: only these"
snoop -a
has_line '^TIME +STRTIME +ZONE +PROJ +UID +PID +PPID ARGS$' "execsnoop -a: the columns"
has_line "^[0-9]+ +20.. ... .. ..:..:.. +global +0 +0 +$made +$$ $procs nothing two\$" "execsnoop -a: all of it"
snoop -A
has_line "^[0-9]+ global 0 0 $made $$ test-procs $procs nothing two.nlines\$" "execsnoop -A: all of it"

dtrace_start -x quiet -n 'proc:::exec { printf("user = %u, gid = %u: %s\n", uid, gid, stringof(args[0])); }'
"$procs" nothing
dtrace_stop
has "$work/out" "^user = 0, gid = 0: $procs\$" "proc:::exec: who executes what"

done_testing
