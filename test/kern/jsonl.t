#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# jsonl.t: oformat=jsonl: each line is a JSON object, whatever a run prints and however it ends.
#
# rows: --save -xsave
#
# guests: none
# needs: python3
. "${0%/*}/lib.sh"

# lines [FILE]: prints the type of each line, and its members without the time, the CPU and the probe.  Facts about
# the run are left out.
lines() {
	python3 - "${1:-$work/out}" <<-'END'
	import json, sys
	for line in open(sys.argv[1], encoding="utf-8"):
	    assert line.endswith("\n"), line
	    item = json.loads(line)
	    assert list(item)[:2] == ["type", "timestamp"] and item["timestamp"] > 1 << 60, line
	    if item["type"] in ("record", "aggregation", "drop"):
	        assert {"cpu", "id", "provider", "module", "function", "name"} <= set(item), line
	    rest = {k: v for k, v in item.items()
	            if k not in ("type", "timestamp", "cpu", "id", "provider", "module", "function")}
	    if item["type"] == "run":
	        assert {"program", "host", "kernel", "start"} <= set(item), line
	        continue
	    print(item["type"], *(f"{k}={json.dumps(v)}" for k, v in rest.items()))
	END
}

run() {
	dtrace_run -x oformat=jsonl "$@"
	lines
}

is "$(run -n 'BEGIN { trace(1); printf("a\"%d\n", 3); } BEGIN { x = 1; } BEGIN { trace("\1\377"); exit(0); }')" \
	'record name="BEGIN" output=[{"value": 1}, {"message": "a\"3\n"}, {"value": 3}]
record name="BEGIN" output=[{"value": "\u0001\ufffd"}]' "records"
is "$(run -n 'BEGIN { @a["y", 2] = sum(7); @a["x", 1] = sum(5); @b["x", 1] = max(2); trace("in"); printa(@a, @b); trace("out"); exit(0); }')" \
	'record name="BEGIN" output=[{"value": "in"}]
aggregation name="BEGIN" aggregation-name="a" aggregation-function="sum" printing=1 keys=["x", 1] sum=5
aggregation name="BEGIN" aggregation-name="a" aggregation-function="sum" printing=1 keys=["y", 2] sum=7
aggregation name="BEGIN" aggregation-name="b" aggregation-function="max" printing=2 keys=["x", 1] max=2
record name="BEGIN" output=[{"value": "out"}]' "rows of aggregations, between data of a record"
is "$(run -O -n 'BEGIN { @q = quantize(5); exit(0); } END { trace(2); }')" 'record name="END" output=[{"value": 2}]
aggregation name="END" aggregation-name="q" aggregation-function="quantize" printing=1 keys=[] buckets=[{"value": 4, "count": 1}]' "END, and aggregations behind it"
is "$(run -n 'BEGIN { trace(1); x = *(int *)8; } ERROR { trace("seen"); exit(3); }')" 'record name="ERROR" output=[{"value": "seen"}]
error name="BEGIN" fault="DTRACEFLT_BADADDR" value=8 msg="error on enabled probe ID 1 (ID 1: dtrace:::BEGIN): invalid address (0x8) in action #2"' \
	"an error"
is "$(run -n 'BEGIN { s = speculation(); } BEGIN { speculate(s); trace("kept"); } BEGIN { trace("before"); } BEGIN { commit(s); } BEGIN { exit(0); }')" \
	'record name="BEGIN" output=[{"value": "before"}]
record name="BEGIN" output=[{"value": "kept"}]' "a speculation, where it is committed"
echo 'exit 3' >"$work/ends"
is "$(run -c "sh $work/ends" -n 'BEGIN { trace(1); }' | sed 's/pid=[0-9]*/pid=N/')" 'record name="BEGIN" output=[{"value": 1}]
exit pid=N status=3' "the end of a process"
echo 'kill -9 $$' >"$work/ends"
is "$(run -q -c "sh $work/ends" -n 'BEGIN { }' | sed 's/pid=[0-9]*/pid=N/')" 'exit pid=N signal=9' "which a signal killed"
is "$(run -wn 'BEGIN { trace(1); system("echo { aside"); trace(2); exit(0); }')" \
	'record name="BEGIN" output=[{"value": 1}, {"value": 2}]' "what a command prints is not among the data"
has "$work/err" '^\{ aside' "but on standard error"
# The same data, beside the text.
program='BEGIN { trace(1); printf("a%d\n", 2); @["x"] = count(); tracemem(curthread, 4); exit(0); } END { x = *(int *)8; }'
strip_times() {
	lines "$1" | sed 's/"tracemem": "[0-9a-f]*"/"tracemem": "N"/'
}
dtrace_run -O -x oformat=jsonl -n "$program"
strip_times "$work/out" >"$work/alone"
dtrace_run -n "$program"
sed 's/^ *[0-9]* *1  */CPU 1 /; / 0: /d' "$work/out" >"$work/text"
dtrace_run --save "$work/saved" -n "$program"
sed 's/^ *[0-9]* *1  */CPU 1 /; / 0: /d' "$work/out" | diff - "$work/text" >"$work/differs"
is "$(cat "$work/differs")" "" "--save leaves the text as it is"
is "$(strip_times "$work/saved")" "$(cat "$work/alone")" "and saves what oformat=jsonl prints"
is "$(sed -n '1s/.*\("program":.*\),"start":[0-9]*}$/\1/p' "$work/saved")" \
	"$(sed -n 's/^{"type":"run".*\("program":.*\),"start":[0-9]*,"duration":[1-9][0-9]*}$/\1/p' "$work/saved")" \
	"facts about the run begin the file, and come again with the duration"
has "$work/saved" "\"program\":\"BEGIN [{] trace\(1\); .*\",\"host\":\"$(uname -n)\",\"kernel\":\"$(uname -r)\"" "the facts"
dtrace_run --save "$work/saved" --flame "$work/flame.svg" -qn 'BEGIN { @[stack()] = sum(3); @a["x"] = sum(4); exit(0); }'
is "$(lines "$work/saved" | grep -o 'sum=.*' | xargs)" "sum=3 sum=4" "aggregations that are drawn, too"
has "$work/flame.svg" '<svg' "beside the picture"
ok "--from reads it" "$dtrace" --from "$work/saved" --html "$work/page.html"
has "$work/page.html" '@a' "and draws it"
dtrace_run --save /dev/full -n 'BEGIN { trace(1); exit(0); }'
is "$status $(cat "$work/err" | grep -v matched)" "1 dtrace: could not write '/dev/full': No space left on device" "a full disk is reported once"
dtrace_run --save "$work/none/file" -n 'BEGIN { trace(1); exit(0); }'
is "$status $(cat "$work/err" | grep -v matched)" "2 dtrace: could not write '$work/none/file': No such file or directory" "no such folder"

dtrace_run -x oformat=jsonl -wn 'BEGIN { trace(1); freopen("'"$work/other"'"); trace(2); exit(0); }'
is "$(lines "$work/out"; lines "$work/other")" 'record name="BEGIN" output=[{"value": 1}]
record name="BEGIN" output=[{"value": 2}]' "freopen(): the record goes on in the other file"
run -x bufsize=64 -n 'BEGIN { trace(1); } BEGIN { tracemem(curthread, 64); } BEGIN { exit(0); } END { trace(1); }' >"$work/lines"
has "$work/lines" '^drop name="DROP" count=[0-9]+ total=[0-9]+ kind=[0-9]+ msg="[0-9]+ drops? on CPU' "a loss"
is "$(run -n 'BEGIN { stack(1); @[stack(1)] = count(); printa(@); exit(0); }' |
	sed -E 's/"(symbol|name)": "[^"]+"/"\1": S/g; s/"offset": [0-9]+/"offset": N/g')" \
	'record name="BEGIN" output=[{"stack-frames": [{"symbol": S, "module": "vmlinux", "name": S, "offset": N, "cut": 1}]}]
aggregation name="BEGIN" aggregation-name="_" aggregation-function="count" key-names=["stack(1)"] printing=1 keys=[[{"symbol": S, "module": "vmlinux", "name": S, "offset": N, "cut": 1}]] count=1' "stacks"

# Interrupted under a flood of records, dtrace has written whole lines, and END is the last.
sh -c 'while :; do :; done' &
own_pids+=($!)
dtrace_start -x oformat=jsonl -n 'profile-997hz { trace(probename); printf("%s %d", "text", 1); @["k"] = count(); }
	tick-10hz { printa(@); } END { trace("end"); }'
sleep 0.5
dtrace_stop
lines >"$work/lines"
ok "interrupted: each line is an object" test -s "$work/lines"
is "$(tail -n 1 "$work/lines")" 'record name="END" output=[{"value": "end"}]' "up to END"
has "$work/lines" '^aggregation name="tick-10hz" .* keys=\["k"\] count=[0-9]+$' "with rows in between"

dtrace_run -x oformat=jsonl,pretty -n BEGIN
is $status 1 "a line cannot be pretty"
done_testing
