#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# profiles.t: --otlp: a collector receives stacks as profiles, of a run and of the saved run, with the totals of the text.
# rows: --otlp -xotlp
# guests: none
# needs: gcc python3 protoc readelf
. "${0%/*}/lib.sh"
unset http_proxy https_proxy HTTPS_PROXY all_proxy ALL_PROXY

program=$work/fmtprog
gcc -g -O1 -fno-omit-frame-pointer -Wl,--build-id -o "$program" "$top/test/kern/pictures.c" || skip_all "no compiler"
mkdir "$work/got"
echo 200 >"$work/got/status"
python3 "$top/test/kern/profiles.py" collect "$work/got" >"$work/port" 2>"$work/collector.err" &
own_pids+=($!)
wait_for 10 test -s "$work/port"
url=http://127.0.0.1:$(cat "$work/port")
path=/v1development/profiles

# profiles WHAT...: prints WHAT of the last request with profiles.
profiles() {
	local last
	last=$(grep -lx "$path" "$work"/got/*.path | sort -V | tail -n 1)
	protoc -I "$top/test/kern" --decode=opentelemetry.proto.ExportProfilesServiceRequest profiles.proto <"${last%.path}" \
		>"$work/decoded" 2>"$work/protoc.err" || note_file protoc "$work/protoc.err"
	python3 "$top/test/kern/profiles.py" "$@" <"$work/decoded" 2>"$work/python" || note_file "$*" "$work/python"
}
# got PATH: prints the number of requests to this path.
got() {
	grep -lx "$1" "$work"/got/*.path 2>/dev/null | wc -l
}
# sum_of COLUMNS FIELD: adds the values of a text with this number of columns of numbers.
sum_of() {
	grep -E "^( +[0-9]+){$1}\$" "$work/text" | awk -v field="$2" '{ n += $field } END { print n }'
}

# ---- a run, and the same run saved

d='syscall::write:entry /pid == $target/ { @calls[execname, ustack(), stack()] = count(); @bytes[ustack(2), arg2] = sum(arg2);
	@[ustack(1)] = quantize(arg2); @none[ustack()] = sum(0); @plain[execname] = count(); }'
dtrace_run -q -O -x inlines -x lines --save "$work/run.jsonl" --folded "@calls=$work/folded" --otlp "$url$path" -n "$d" -c "$program 300 100"
is "$status $(cat "$work/err")" "0 " "a run"
cp "$work/out" "$work/text"
is "$(got "$path") $(ls "$work/got"/*.path | wc -l)" "1 1" "one request, because of the path"
profiles stacks calls >"$work/calls"
profiles lines >"$work/lines"
for type in calls bytes quantize; do
	profiles stacks $type >"$work/$type"
	profiles facts $type >"$work/$type.facts"
done
is "$(grep -cE '^ *[0-9]+[:{ ]' "$work/decoded")" 0 "no field is unknown"
is "$(head -n 1 "$work/calls") $(sum_of 1 1)" "total 400 400" "count(): the total of the text"
is "$(head -n 1 "$work/bytes") $(sum_of 2 2)" "total 3200 3200" "sum()"
is "$(head -n 1 "$work/quantize")" "total 400" "quantize(): its counts"
is "$(awk '/^ +8 \|/ { n += $NF } END { print n }' "$work/text")" 400 "the counts of the text"
is "$(python3 "$top/test/kern/formats.py" stacks folded "$work/folded" | diff - "$work/calls")" "" "stacks as in other formats"
is "$(grep -c 'sample_type' "$work/decoded")" 3 "no profile without stacks, or without a value"
has "$work/calls.facts" '^unit: count$' "the unit"
has "$work/calls.facts" '^time_unix_nano: 1[0-9]{18}$' "the time"
has "$work/calls.facts" '^duration_nano: [1-9][0-9]{6,}$' "the duration"
has "$work/calls.facts" '^dtrace.aggregation: @calls = count\(\)$' "the aggregation"
has "$work/quantize.facts" '^dtrace.aggregation: @ = quantize\(\)$' "without a name"
has "$work/calls.facts" "^dtrace.command: $program 300 100\$" "the command"
has "$work/calls.facts" '^service.name: dtrace$' "the service"
has "$work/calls.facts" "^host.name: $(uname -n)\$" "the host"
line=$(grep -n 'write(fd' "$top/test/kern/pictures.c" | cut -d: -f1)
has "$work/lines" "^fmtprog.pic_leaf .*test/kern/pictures.c:$line\$" "a function has its line"
has "$work/lines" "^$program $(readelf -n "$program" | sed -n 's/.*Build ID: //p')\$" "a mapping has the path and the build id"
has "$work/lines" "^vmlinux.[a-z_0-9]+ :0 kernel\$" "a kernel function has its type"

cp "$work/lines" "$work/live.lines"
sed -i 's/"host":"[^"]*"/"host":"elsewhere"/' "$work/run.jsonl"
dtrace_run --from "$work/run.jsonl" --otlp "$url$path"
is "$status $(cat "$work/err")$(got "$path")" "0 2" "the saved run"
is "$(profiles lines | diff "$work/live.lines" -)" "" "its locations and mappings"
for type in calls bytes quantize; do
	is "$(profiles stacks $type | diff "$work/$type" -)" "" "its stacks of $type"
	is "$(profiles facts $type | diff <(sed "s/^\(.*host[^:]*\): .*/\1: elsewhere/" "$work/$type.facts") -)" "" "its facts of $type"
done

# ---- all signals

dtrace_run -q --otlp "$url" -n "$d" -c "$program 3 1"
is "$status $(cat "$work/err")$(got "$path")" "0 3" "a URL without a path"
is "$(profiles stacks calls | head -n 1)" "total 4" "gets profiles"
ok "and metrics" test "$(got /v1/metrics)" -ge 1
dtrace_run -q --otlp "$url" -n 'BEGIN { @[execname] = count(); @none[stack()] = sum(0); exit(0); }'
is "$status $(cat "$work/err")$(got "$path")" "0 3" "but none without a value"
dtrace_run -q --otlp "$url$path" -n 'BEGIN { @calls[execname] = count(); exit(0); }'
is "$status" 1 "the path of profiles without stacks"
has "$work/err" "no profiles were sent to '$url$path': no aggregation has stacks with a value" "says so"
has "$work/out" dtrace "and prints the aggregation"

# ---- hostile names and values

python3 - >"$work/hostile.jsonl" <<'END'
import json
names = ['"><script>', "a;b", "\x01\x1b[31m", "\ufffe", "x" * 100000, "\n", "", "`", "``", "a`", "`b", "+0x1", "\ud83d\ude00"]
for i, name in enumerate(names):
    print(json.dumps({"type": "aggregation", "timestamp": 1, "aggregation-name": "<i>", "printing": 1, "key-names": ["k", "k", "k"],
                      "keys": [name, name, [{"symbol": name, "file": name, "line": i}, {"symbol": "b`main"}]], "sum": 1 << i}))
for value in (2 ** 63 - 1 - (1 << len(names)), -2 ** 63, -1, 0):
    print(json.dumps({"type": "aggregation", "timestamp": 1, "aggregation-name": "<i>", "printing": 1, "key-names": [],
                      "keys": ["k", "l", [{"symbol": "b`main"}]], "sum": value}))
END
dtrace_run --from "$work/hostile.jsonl" --otlp "$url$path" --folded "$work/folded"
is "$status $(cat "$work/err")" "0 " "hostile names"
profiles stacks '<i>' >"$work/stacks"
is "$(python3 "$top/test/kern/formats.py" stacks folded "$work/folded" | diff - "$work/stacks")" "" "are as in other formats"

# ---- errors

echo 503 >"$work/got/status"
n=$(got "$path")
dtrace_run -q --otlp "$url$path" -n 'BEGIN { @[stack()] = count(); exit(0); }'
is "$status $(cat "$work/err")" "1 dtrace: could not send profiles to '$url$path': HTTP status 503" "a collector that is busy"
is $(($(got "$path") - n)) 2 "is asked twice"
echo 404 >"$work/got/status"
n=$(got "$path")
dtrace_run --from "$work/run.jsonl" --otlp "$url$path"
is "$status $(cat "$work/err")" "1 dtrace: could not send profiles to '$url$path': HTTP status 404" "one that has no profiles"
is $(($(got "$path") - n)) 1 "is asked once"
dtrace_run --from "$work/run.jsonl" --from "$work/run.jsonl" --otlp "$url$path"
is "$status $(cat "$work/err")" "1 dtrace: no profiles were sent to '$url$path': its format cannot compare two runs" "two runs"
dtrace_run --otlp "ftp://localhost$path" -n 'BEGIN { @[stack()] = count(); exit(0); }'
is "$status$(cat "$work/out")" 2 "no URL"
dtrace_run --from "$work/run.jsonl" --otlp "$url/v1/metrics"
is "$status" 2 "metrics of a saved run"
done_testing
