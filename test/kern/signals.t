#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# signals.t: a signal to dtrace at any time leaves a traced process intact, and ends the command of -c.
#
# guests: 6.12
. "${0%/*}/lib.sh"

# A C library of its own, because other tests have breakpoints in the machine's library.
cp "$(awk '$2 == "r-xp" && /\/libc\.so/ { print $6; exit }' /proc/self/maps)" "$work/libc.so.6"
LD_LIBRARY_PATH=$work "$top/build/test-pid" loop &
target=$!
own_pids+=("$target")

# code_is_intact PID: returns success if the executable mappings of its files equal the files.
code_is_intact() {
	local range perm off path start size
	while read -r range perm off _ _ path; do
		[[ $perm = r-x* && $path = /* && $path != */ld-* ]] || continue
		start=$((16#${range%-*})) size=$((16#${range#*-} - 16#${range%-*}))
		cmp -s <(dd if="/proc/$1/mem" bs=64K iflag=skip_bytes,count_bytes skip=$start count=$size 2>/dev/null) \
			<(dd if="$path" bs=64K iflag=skip_bytes,count_bytes skip=$((16#$off)) count=$size 2>/dev/null) ||
			{ note "$path is changed in process $1"; return 1; }
	done <"/proc/$1/maps"
}

places='pid$target:libc.so*::entry'
# Before 6.6 the kernel takes 0.1 s to remove each breakpoint.
[ -z "${GUEST:-}" ] || places='pid$target:libc.so*:s[eho]*:entry'
now() { date +%s%N; }

wait_for 10 grep -q "r-xp.*libc.so" "/proc/$target/maps"
begin=$(now)
dtrace_run -qn "$places { @ = count(); } BEGIN { exit(0); }" -p $target
is $status 0 "places in a library" || note_file errors "$work/err"
whole=$(($(now) - begin))
ok "are gone when tracing ends" code_is_intact $target
steps=12
[ -z "${GUEST:-}" ] || steps=6
signals=(TERM KILL INT HUP KILL QUIT USR1 KILL ALRM)
for ((i = 0; i < steps; i++)); do
	signal=${signals[i % ${#signals[@]}]}
	env --default-signal=INT,QUIT "$dtrace" -qn "$places { @ = count(); }" -p $target \
		</dev/null >"$work/out" 2>"$work/err" &
	dtrace_pid=$!
	own_pids+=("$dtrace_pid")
	# A shell that has not yet become dtrace would take the signal for its own.
	wait_for 10 grep -q dtrace "/proc/$dtrace_pid/comm"
	sleep "$(printf '%d.%09d' $((whole * i / steps / 1000000000)) $((whole * i / steps % 1000000000)))"
	kill -$signal $dtrace_pid
	wait $dtrace_pid 2>/dev/null
	# After SIGKILL, dtrace cannot wait until the breakpoints are gone.  After other signals, the kernel can still need a link
	# for a moment: a program that visits all open files (iter:::task_file) holds each while it looks at it.
	ok "SIG$signal after $i of $steps parts of the time that it takes" wait_for 20 code_is_intact $target
done
ok "the process runs on" kill -0 $target

# ---- a command of -c ends with dtrace, however dtrace ends

# child_ends SIGNAL: checks that a command ends when its tracer gets the signal.
child_ends() {
	dtrace_start -qn 'BEGIN { printf("pid %d\n", $target); }' -c 'sleep 100'
	command=$(sed -n 's/^pid //p' "$work/out")
	ok "a command runs" kill -0 "$command"
	kill -$1 "$dtrace_pid"
	wait "$dtrace_pid" 2>/dev/null
	ok "and ends after SIG$1" wait_for 10 is_gone "$command"
}
child_ends KILL
child_ends ALRM
child_ends SEGV
"$dtrace" -qn 'BEGIN { printf("%d\n", $target); } tick-10ms { printf("more\n"); }' -c 'sleep 101' \
	2>/dev/null </dev/null | head -n 1 >"$work/pid"
positive "$(cat "$work/pid")" "a command whose tracer's output nobody reads"
ok "ends" wait_for 10 is_gone "$(cat "$work/pid")"

# ---- output that waits for its reader is complete

mkfifo "$work/pipe"
waits_for_reader() {
	rm -f "$work/go"
	{ until [ -e "$work/go" ]; do sleep 0.05; done; cat >"$work/read"; } <"$work/pipe" &
	reader=$!
	env --default-signal=INT "$dtrace" -qn 'BEGIN { printf("%65000d%65000d%65000d\n", 1, 2, 3); printf("last\n"); }' \
		</dev/null >"$work/pipe" 2>"$work/err" &
	dtrace_pid=$!
	own_pids+=("$reader" "$dtrace_pid")
	ok "dtrace waits for a reader" wait_for 20 grep -q pipe_write "/proc/$dtrace_pid/wchan"
}
waits_for_reader
# timeout(1) signals the process and then its group.
kill -INT $dtrace_pid
kill -TERM $dtrace_pid
sleep 0.1
touch "$work/go"
wait $dtrace_pid
is $? 0 "a signal while it waits is no error"
wait $reader
is "$(tail -n +2 "$work/read" | head -n 1)" last "nothing is lost"
ok "no error is reported" test ! -s "$work/err" || note_file errors "$work/err"

waits_for_reader
kill -INT $dtrace_pid
sleep 0.3
kill -INT $dtrace_pid
ok "a second signal ends the wait" wait_for 4 is_gone $dtrace_pid
has "$work/err" '^dtrace: the second signal discarded the output that was not printed yet$' "with a message"
touch "$work/go"
wait $reader

# ---- ignored signals stay ignored

rm -f "$work/out" # the previous output has READY, too
(trap '' HUP INT && exec "$dtrace" -qn 'BEGIN { printf("READY\n"); } syscall::nosuch: { }' -Z) \
	</dev/null >"$work/out" 2>"$work/err" &
dtrace_pid=$!
own_pids+=("$dtrace_pid")
wait_for 20 grep -q READY "$work/out"
kill -HUP $dtrace_pid
kill -INT $dtrace_pid
sleep 0.2
ok "SIGHUP and SIGINT that were ignored" kill -0 $dtrace_pid
kill -TERM $dtrace_pid
wait $dtrace_pid
is $? 0 "SIGTERM that was not"

# ---- closed descriptors

printf 'BEGIN { system("readlink /proc/%%d/fd/%%d >%s", $pid, $1); exit(0); }' "$work/link" >"$work/link.d"
"$dtrace" -qw -s "$work/link.d" 0 <&- >/dev/null
is "$(cat "$work/link")" /dev/null "no map is descriptor 0"
"$dtrace" -qw -s "$work/link.d" 1 >&- 2>/dev/null
is "$(cat "$work/link")" /dev/null "no map is descriptor 1"
"$dtrace" -qw -s "$work/link.d" 2 2>&- >/dev/null
is "$(cat "$work/link")" /dev/null "no map is descriptor 2"
"$dtrace" -qn 'BEGIN { printf("lost\n"); exit(0); }' >&- 2>"$work/err"
is $? 1 "output to a descriptor that is closed"
has "$work/err" 'failed to write to <stdout>: Bad file descriptor' "the message"

done_testing
