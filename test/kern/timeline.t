#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# timeline.t: records as events over time: Perfetto, Chrome and CTF have what the text has.
# rows: --perfetto --chrome --ctf -xperfetto -xchrome -xctf -xtimeline -xtimelinerate span_begin span_end
# guests: none
# needs: python3 protoc babeltrace2
. "${0%/*}/lib.sh"

# chrome FILE [--killed]: prints its events to $work/events, without the id of the process.
chrome() {
	python3 "$top/test/kern/timeline.py" "$@" >"$work/events" 2>"$work/chrome.err" || note_file "$1" "$work/chrome.err"
}
perfetto() {
	protoc -I "$top/test/kern" --decode=perfetto.Trace perfetto.proto <"$1" >"$work/packets" 2>"$work/protoc.err" ||
		note_file protoc "$work/protoc.err"
}
ctf() {
	babeltrace2 "$1" >"$work/ctf.out" 2>"$work/ctf.err" || note_file babeltrace2 "$work/ctf.err"
}
count() {
	grep -c -- "$1" "$2"
}

# ---- each format has what the text has

# 20 writes.
dd='dd if=/dev/zero of=/dev/null bs=8 count=20 status=none'
d='syscall::write:entry /pid == $target && arg0 == 1/ { self->on = 1; printf("%d bytes\n", arg2); @writes[execname] = count(); }
syscall::write:return /self->on/ { self->on = 0; trace(arg1); }
syscall::exit_group:entry /pid == $target/ { trace("\"\n\xff"); ustack(2); }'
dtrace_run -q --chrome "$work/chrome" --perfetto "$work/perfetto" --ctf "$work/ctf" --save "$work/saved" -n "$d" -c "$dd"
is $status 0 "all formats"
is "$(count '8 bytes' "$work/out")" 20 "the text, too"
chrome "$work/chrome"
is "$(count '^slice dd write message=8 bytes value=8 end_value=8$' "$work/events")" 20 "Chrome: slices"
is "$(count '^instant dd exit_group:entry value="' "$work/events")" 1 "an instant"
is "$(grep '^counter' "$work/events" | tail -n 1)" "counter @writes[dd] 20" "a counter"
perfetto "$work/perfetto"
is "$(count 'TYPE_SLICE_BEGIN' "$work/packets") $(count 'TYPE_SLICE_END' "$work/packets")" "20 20" "Perfetto: slices"
is "$(count '^    name: "write"' "$work/packets") $(count 'string_value: "8 bytes"' "$work/packets")" "20 20" "their names and data"
is "$(grep 'counter_value' "$work/packets" | tail -n 1 | tr -d ' ')" counter_value:20 "a counter"
is "$(count 'callstack_iid: ' "$work/packets") $(count 'thread_name: "dd"' "$work/packets")" "1 1" "a stack and a thread"
is "$(grep -c '^  [0-9]*[:{]\|^[0-9]' "$work/packets")" 0 "no field is unknown"
ctf "$work/ctf"
is "$(count ' syscall:write:begin: .*execname = "dd".*{ message = "8 bytes", value = 8 }' "$work/ctf.out")" 20 "CTF: begins"
is "$(count ' syscall:write:end: .*{ end_value = 8 }' "$work/ctf.out")" 20 "ends"
is "$(count 'name = "@writes\[dd\]", value = 20' "$work/ctf.out")" 1 "a counter"

# ---- a saved run

dtrace_run -q --save "$work/saved" -n 'BEGIN { trace(1); exit(0); }'
dtrace_run --from "$work/saved" --chrome "$work/chrome2" --perfetto "$work/perfetto2" --ctf "$work/ctf2"
is $status 1 "a run without threads is no timeline"
has "$work/err" "saved': its records have no threads; save them with -x timeline" "the message says so"
dtrace_run -q -x timeline --save "$work/saved" --chrome "$work/chrome" --perfetto "$work/perfetto" -n "$d" -c "$dd"
dtrace_run --from "$work/saved" --chrome "$work/chrome2" --perfetto "$work/perfetto2" --ctf "$work/ctf2"
is "$status$(cat "$work/err")" 0 "a saved run"
chrome "$work/chrome"
cp "$work/events" "$work/direct"
chrome "$work/chrome2"
is "$(grep -v ^counter "$work/events")" "$(grep -v ^counter "$work/direct")" "the same events"
is "$(grep -c . "$work/direct")" "$(($(grep -vc ^counter "$work/events") + $(grep -c ^counter "$work/direct")))" "none is missing"
# Times are equal, too: Chrome's begin with the first event.
times() {
	sed -n 's/.*"ph":"[BEi]".*"ts":\([0-9.]*\),.*/\1/p' "$1"
}
is "$(times "$work/chrome2")" "$(times "$work/chrome")" "the same times"
# clock PACKETS...: prints the clock of events and the clocks of the snapshot.  wall_times: prints times of day of slices.
clock() {
	sed -n 's/^ *\(timestamp_clock_id\|clock_id\|primary_trace_clock\): //p' "$work/packets" | tr '\n' ' '
}
wall_times() {
	awk '$1 == "clock_id:" { clock = $2 } /^      timestamp:/ { at[clock] = $2 } $1 == "timestamp_clock_id:" { of = $2 }
		/^  timestamp:/ { time = $2 } $2 == "TYPE_SLICE_BEGIN" { print time, at[1], at[of] }' "$work/packets" | python3 -c 'import sys
for line in sys.stdin:
    time, wall, own = map(int, line.split())
    print(time + wall - own)'
}
perfetto "$work/perfetto"
is "$(clock)" "3 1 3 3 " "Perfetto: events have the monotonic time, and a snapshot the time of day"
wall_times >"$work/wall"
is "$(grep -c . "$work/wall")" 20 "of all slices"
perfetto "$work/perfetto2"
is "$(clock)" "1 1 1 " "a saved run has the time of day only"
is "$(wall_times)" "$(cat "$work/wall")" "and the same times"
ok "which are of today" test $(($(date +%s) - $(tail -n 1 "$work/wall") / 1000000000)) -lt 600
dtrace_run -q -x timeline --libxo json -n "$d" -c "$dd"
cp "$work/out" "$work/document"
dtrace_run --from "$work/document" -x oformat=chrome
chrome "$work/out"
is "$(count '^slice dd write' "$work/events")" 20 "a document, to standard output"
head -c 3000 "$work/saved" >"$work/cut"
dtrace_run --from "$work/cut" --chrome "$work/chrome2"
is $status 1 "a file that was cut"
has "$work/err" "cut': line [0-9]*, column [0-9]*: the document has no end" "is reported"
dtrace_run --from <(cat "$work/saved") --chrome "$work/chrome2"
has "$work/err" "twice; save the run to a file" "a pipe cannot be read twice"
dtrace_run --from "$work/saved" --from "$work/saved" --chrome "$work/chrome2"
is $status 2 "timelines are not compared"

# printf() without arguments has no value, also after it was saved.
dtrace_run -q -x timeline --save "$work/saved" -n 'syscall::exit_group:entry /pid == $target/ { printf("end"); trace(7); }' -c true
dtrace_run --from "$work/saved" --chrome "$work/chrome2"
chrome "$work/chrome2"
is "$(count '^instant true exit_group:entry message=end value=7$' "$work/events")" 1 "the same data"

# ---- spans

spans='syscall::read:entry /pid == $target && arg2 == 8/ { span_begin("copy", ++n); span_begin("inner"); }
syscall::write:entry /pid == $target && arg0 == 1/ { span_end(); }
syscall::write:return /pid == $target && n/ { span_end(n); }'
dtrace_run -q -x oformat=chrome -n "$spans" -c "$dd"
chrome "$work/out"
is "$(count '^span dd copy$' "$work/events") $(count '^slice dd inner$' "$work/events")" "20 20" "spans with and without an id"
is "$(grep -vc ' exit message=' "$work/events")" 60 "and their flows, and nothing else"
# A process ends what another one began: flows join them.
two='proc:::exec-success /progenyof($target) && execname == "dd"/ { span_begin("job", "a"); }
proc:::exit /pid == $target/ { span_end("a"); span_end("b"); }'
echo "$dd; true" >"$work/job"
dtrace_run -q --chrome "$work/chrome" --ctf "$work/ctf" -n "$two" -c "sh $work/job"
chrome "$work/chrome"
is "$(grep -v ' exit message=' "$work/events" | sort | tr '\n' ';')" "flow f job;flow s job;instant sh job;instant sh span_end;span dd job;" "processes"
has "$work/err" "^dtrace: timeline: 1 ends have no beginning; they are instants" "an end without a beginning is reported"
dtrace_run -n 'BEGIN { span_begin(1); exit(0); }'
has "$work/err" 'takes a string as the name' "a name is a string"
dtrace_run -qn 'BEGIN { span_begin("a", 7, "t"); span_end(7); exit(0); }'
is "$(tr -d ' ' <"$work/out")" a7t7 "spans as text"

# ---- samples

dtrace_run -q --perfetto "$work/perfetto" --chrome "$work/chrome" -n 'profile-997 /pid == $target/ { stack(); ustack(); @ = count(); }' \
	-c 'dd if=/dev/zero of=/dev/null bs=1M count=3000 status=none'
perfetto "$work/perfetto"
samples=$(tail -n 1 "$work/out" | tr -d ' ')
positive "$samples" "samples"
is "$(count '^  perf_sample {' "$work/packets")" "$samples" "each is a sample of Perfetto"
chrome "$work/chrome"
is "$(count '^instant dd profile-997' "$work/events")" "$samples" "and an instant of Chrome"

# ---- failures

for format in chrome perfetto; do
	dtrace_run -q --$format /dev/full -n 'BEGIN { trace(1); exit(0); }'
	is $status 1 "--$format: a full disk"
	has "$work/err" "^dtrace: could not write '/dev/full': No space left on device" "is reported"
	dtrace_run --$format /dev/null/x -n 'BEGIN { trace(1); exit(0); }'
	is "$status$(cat "$work/out")" 2 "--$format: a file that cannot be opened"
done
dtrace_run --ctf /dev/null -n 'BEGIN { trace(1); exit(0); }'
is "$status$(cat "$work/out")" 2 "--ctf: a file in place of the directory"
dtrace_start -q --chrome "$work/chrome" --perfetto "$work/perfetto" --ctf "$work/ctf" -x switchrate=20hz \
	-n 'tick-1000hz { trace(++n); } tick-1000hz { trace("x"); }'
grown() {
	[ "$(stat -c %s "$work/chrome")" -gt 20000 ] && [ "$(stat -c %s "$work/ctf/stream0" 2>/dev/null || echo 0)" -gt 20000 ]
}
ok "the files grow" wait_for 10 grown
end_pid "$dtrace_pid" KILL
chrome "$work/chrome" --killed
positive "$(count '^instant .* tick-1000hz value=[0-9]* value2=x' "$work/events")" "a killed trace opens: Chrome"
perfetto "$work/perfetto"
positive "$(count 'name: "tick-1000hz"' "$work/packets")" "Perfetto"
ctf "$work/ctf"
positive "$(count 'dtrace:tick\|profile:tick-1000hz' "$work/ctf.out")" "CTF"

# ---- a file for each snapshot

"$dtrace" -q -x bufpolicy=ring -x oformat=chrome -o "$work/trace-%n" -n 'tick-100hz { trace(++n); }' </dev/null 2>"$work/err" &
recorder=$!
own_pids+=("$recorder")
# has_events N: asks for a snapshot, unless N files have events.  A snapshot can come before the first event.
has_events() {
	[ "$(grep -l '"ph":"i"' "$work"/trace-* 2>/dev/null | wc -l)" -ge "$1" ] || { kill -USR1 "$recorder"; return 1; }
}
wait_for 20 is_tracing "$recorder"
ok "a file for a snapshot" wait_for 20 has_events 1
ok "and another one" wait_for 20 has_events 2
end_pid "$recorder"
: >"$work/all"
for file in $(find "$work" -name 'trace-*' | sort -V); do
	chrome "$file"
	cat "$work/events" >>"$work/all"
done
sed -n 's/^instant .* tick-100hz value=//p' "$work/all" >"$work/numbers"
positive "$(wc -l <"$work/numbers")" "each file is a list of its own"
is "$(tr '\n' ' ' <"$work/numbers")" "$(seq -s ' ' "$(head -n 1 "$work/numbers")" "$(tail -n 1 "$work/numbers")") " "each event is in one of them"

# ---- another machine

printf 'NAME="Debian GNU/Linux"\nVERSION_ID="13"\n' >"$work/os-release"
cat >"$work/agent" <<END
#!/bin/sh
mount --bind $work/os-release /etc/os-release
exec $dtrace --agent
END
chmod +x "$work/agent"
name=dtr-dd-$$
cp "$(type -P dd)" "$work/$name"
d='syscall::write:entry /execname == "'"$name"'" && arg0 == 1/ { trace("w"); }
syscall::write:return /execname == "'"$name"'" && arg1 == 8/ { trace("x"); }'
dtrace_run -q -x target="web-1=exec:unshare -m $work/agent" --chrome "$work/chrome" --ctf "$work/ctf" --perfetto "$work/perfetto" \
	-E -n "$d" -n "${d//syscall/web-1:syscall}" -c "$work/${dd/dd/"$name"}"
chrome "$work/chrome"
is "$(count "^slice $name write" "$work/events") $(count "^slice web-1: $name write" "$work/events")" "20 20" "Chrome: processes of both machines"
ctf "$work/ctf"
is "$(count 'vmname = "web-1".*value = ' "$work/ctf.out") $(count 'vmname = "host".*value = ' "$work/ctf.out")" "40 40" "CTF: names of machines"
perfetto "$work/perfetto"
is "$(count "name: \"web-1: $name" "$work/packets")" 1 "Perfetto: a track with the name of the machine"
done_testing
