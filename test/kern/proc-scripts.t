#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# proc-scripts.t: the ready scripts about processes and signals, and one-liners, show what happened.
. "${0%/*}/lib.sh"

procs=$top/build/test-procs

# show SCRIPT: traces with it until the commands on standard input have run; $made has what they print.
show() {
	dtrace_start -s "$top/scripts/$1" || return
	made=$(bash -s "$procs")
	sleep "${2:-0}"
	dtrace_stop
}

show newproc.d <<'END'
"$1" nothing "an argument" > /dev/null &
echo $!
wait
END
has "$work/out" "exec-success +$procs nothing an argument *\$" "newproc.d: the program and its arguments"

show kill.d <<'END'
trap : USR1
kill -USR1 $$
kill -9 4194305 2> /dev/null
echo $$
END
has "$work/out" "^ *$made +bash +10 $made +0\$" "kill.d: a signal"
has "$work/out" "^ *$made +bash +9 4194305 +-1\$" "kill.d: a signal that fails"

show sigsnoop.d <<'END'
trap : USR1
kill -USR1 $$
kill -URG $$
echo $$
END
has "$work/out" "^ *$made bash +sends +10 +$made bash\$" "sigsnoop.d: a signal that is sent"
has "$work/out" "^ *$made bash +handles +10\$" "sigsnoop.d: a signal that is handled"
has "$work/out" "^ *$made bash +ignores +23\$" "sigsnoop.d: a signal that is ignored"

show pidspersec.d 1.5 <<'END'
(exit 0)
END
is "$(awk '/^ +[0-9]+ [A-Z]/ && NF == 6 { sum += $6 } END { print (sum > 0) }' "$work/out")" 1 \
	"pidspersec.d: processes are made"

show shortlived.d <<'END'
exec -a parent bash -c '"$1" nothing & wait; echo $$; exit' - "$1"
END
made=${made##*$'\n'}
has "$work/out" "^ +test-procs +[0-9]+ ms\$" "shortlived.d: time by program"
has "$work/out" "^ +$made +[0-9]+ ms\$" "shortlived.d: time by parent"

show lifecycle.d <<'END'
"$1" nothing > /dev/null &
echo $!
wait
END
life=$(awk -v pid="$made" '$2 == pid { print $4 }' "$work/out" | paste -sd ' ')
is "$life" "created starts tries executes ends" "lifecycle.d: from the creation to the end"
has "$work/out" " $made .* ends +exited, [0-9]+ ms\$" "lifecycle.d: how it ends, and when"

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
is "$(awk 'NR > 1 && NF && !/test-procs nothing/' "$work/out")" "" "execsnoop -c: only these"
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
