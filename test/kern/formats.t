#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# formats.t: files for other viewers have the totals of the text and equal stacks, at once and from a saved run.
# rows: --pprof --firefox -xpprof -xfirefox
# guests: none
# needs: gcc python3 readelf xmllint
. "${0%/*}/lib.sh"

formats=$top/test/kern/formats.py
kinds='folded speedscope pprof firefox'
program=$work/fmtprog
gcc -g -O1 -fno-omit-frame-pointer -Wl,--build-id -o "$program" "$top/test/kern/pictures.c" || skip_all "no compiler"

# options PREFIX AGGREGATION: prints an option for each kind, with files PREFIX.KIND.
options() {
	for kind in flame $kinds; do
		printf -- '-x\n%s=@%s=%s.%s\n' "$kind" "$2" "$1" "$kind"
	done
}

# decoded FILES: decodes PREFIX.KIND of each kind to PREFIX.KIND.stacks and PREFIX.KIND.facts.
decoded() {
	for kind in $kinds; do
		python3 "$formats" stacks "$kind" "$1.$kind" >"$1.$kind.stacks" 2>"$work/python" || note_file "$kind" "$work/python"
		python3 "$formats" facts "$kind" "$1.$kind" >"$1.$kind.facts"
	done
	/usr/bin/python3 "$top/test/kern/pictures.py" frames "$1.flame" >"$1.flame.stacks"
}

# ---- a live run, and the same run saved as jsonl and as json

d='syscall::write:entry /pid == $target/ { @stacks[execname, ustack(), stack()] = count(); @cut[ustack(2), arg2] = sum(arg2);
	@hist[ustack()] = quantize(arg2); @bytes = quantize(arg2); }'
for agg in stacks cut hist; do
	mapfile -t live < <(options "$work/live" $agg)
	mapfile -t again < <(options "$work/again" $agg)
	dtrace_run -q -O -x inlines -x lines --save "$work/run.jsonl" "${live[@]}" -n "$d" -c "$program 300 100"
	is "$status $(cat "$work/err")" "0 " "@$agg as files for viewers"
	cp "$work/out" "$work/text"
	dtrace_run --from "$work/run.jsonl" "${again[@]}"
	is "$status $(cat "$work/err")" "0 " "... of the saved run"
	decoded "$work/live"
	decoded "$work/again"
	case $agg in
	stacks) total=$(awk '/^ +[0-9]+$/ { n += $1 } END { print n }' "$work/text") want=400 ;;
	cut) total=$(awk '/^ +[0-9]+ +[0-9]+$/ { n += $2 } END { print n }' "$work/text") want=3200 ;;
	hist) total=$(awk '/^ +8 \|/ { n += $NF } END { print n / 2 }' "$work/text") want=400 ;;
	esac
	is "$total" "$want" "the total of the text"
	for kind in $kinds; do
		is "$(sed -n 's/^total //p' "$work/live.$kind.stacks")" "$want" "total of $kind"
		is "$(diff "$work/live.folded.stacks" "$work/live.$kind.stacks")" "" "stacks of $kind"
		is "$(diff "$work/live.$kind.facts" "$work/again.$kind.facts")" "" "facts of $kind, of the saved run"
	done
	for kind in flame $kinds; do
		is "$(diff "$work/live.$kind.stacks" "$work/again.$kind.stacks")" "" "stacks of $kind, of the saved run"
	done
	has "$work/live.pprof.facts" "^aggregation: @$agg = (count|sum|quantize)\(\)\$" "the aggregation of pprof"
	has "$work/live.pprof.facts" '^time: 1[0-9]{18}$' "the time"
	has "$work/live.pprof.facts" '^duration: [1-9][0-9]{6,}$' "the duration"
done
has "$work/live.pprof.facts" '^program: syscall::write:entry ' "the program"
has "$work/live.firefox.facts" "^kernel: $(uname -r)\$" "the kernel"
has "$work/live.speedscope.facts" '^name: syscall::write:entry ' "the name in speedscope"

# Lines and files.
line=$(grep -n 'write(fd' "$top/test/kern/pictures.c" | cut -d: -f1)
id=$(readelf -n "$program" | sed -n 's/.*Build ID: //p')
for run in live again; do
	python3 "$formats" lines pprof "$work/$run.pprof" >"$work/lines"
	has "$work/lines" "^fmtprog.pic_leaf .*test/kern/pictures.c:$line\$" "$run: a function has its line"
	has "$work/lines" "^$program $id\$" "$run: a mapping has the path and the build id"
done

python3 "$formats" lines speedscope "$work/live.speedscope" >"$work/lines"
has "$work/lines" "^fmtprog.pic_leaf .*test/kern/pictures.c:$line\$" "a function has its line in speedscope"

# Units: the files of a run have the same values, in the unit of the viewer.
dtrace_run -q --save "$work/run.jsonl" --speedscope "$work/ns.scope" --firefox "$work/ns.firefox" --folded "$work/ns.folded" -n '
	syscall::write:entry /pid == $target/ { self->t = timestamp; }
	syscall::write:return /self->t/ { @ns[ustack()] = sum(timestamp - self->t); self->t = 0; }' -c "$program 30 10"
dtrace_run --from "$work/run.jsonl" --speedscope "$work/again.scope"
is "$(cmp "$work/ns.scope" "$work/again.scope" 2>&1)" "" "a saved run has the unit, too"
is "$(python3 "$formats" facts speedscope "$work/ns.scope" | grep unit)" "unit: nanoseconds" "speedscope knows ns"
is "$(python3 "$formats" facts firefox "$work/ns.firefox" | grep unit)" "unit: tracing-ms" "the Firefox Profiler knows ms"
is "$(python3 - "$work/ns.folded" "$work/ns.scope" "$work/ns.firefox" <<'END'
import gzip, json, sys
folded = sum(int(line.split()[-1]) for line in open(sys.argv[1]))
scope = sum(json.load(open(sys.argv[2]))["profiles"][0]["weights"])
ms = sum(json.load(gzip.open(sys.argv[3]))["threads"][0]["samples"]["weight"])
print(folded > 0, scope - folded, round(ms * 1e6) - folded)
END
)" "True 0 0" "with the same total"

# Documents have the same stacks, without the facts.
"$dtrace" -q -O --libxo json -o "$work/run.json" --folded "@stacks=$work/live.folded" -n "$d" -c "$program 300 100" 2>"$work/err"
mapfile -t again < <(options "$work/again" stacks)
dtrace_run --from "$work/run.json" "${again[@]}"
decoded "$work/again"
python3 "$formats" stacks folded "$work/live.folded" >"$work/want"
for kind in $kinds; do
	is "$(diff "$work/want" "$work/again.$kind.stacks")" "" "stacks of $kind, of a document"
done

# Totals of pictures of the same run.
d='syscall::write:entry /pid == $target/ { @bytes[execname] = quantize(arg2); @calls[arg2] = count(); }'
dtrace_run -q --save "$work/run.jsonl" --html "$work/live.html" --heat "$work/live.heat" -n "$d" -c "$program 300 100"
dtrace_run --from "$work/run.jsonl" --html "$work/again.html" --heat "$work/again.heat"
for run in live again; do
	is "$(sed -n 's/.*, 8[a-z ]*: \([0-9]*\)<.*/\1/p' "$work/$run.heat" | awk '{ n += $1 } END { print n }')" 400 "$run: total of a heat map"
	has "$work/$run.html" '>400<' "$run: total of a page"
done

# Losses are facts, and pprof counts losses of all kinds.
dtrace_run -q --save "$work/run.jsonl" --pprof "$work/live" -x bufsize=64 -n 'BEGIN { trace(1); } BEGIN { tracemem(curthread, 64); }
	BEGIN { @[stack()] = count(); exit(0); }'
drops=$(sed -n 's/.* \([0-9]*\) drops\{0,1\} on CPU.*/\1/p' "$work/err" | awk '{ n += $1 } END { print n }')
positive "$drops" "a run with drops"
python3 "$formats" facts pprof "$work/live" >"$work/facts"
has "$work/facts" "^drops: $drops\$" "the file has their number"
dtrace_run --from "$work/run.jsonl" --pprof "$work/again"
is "$(python3 "$formats" facts pprof "$work/again")" "$(cat "$work/facts")" "and so has the file of the saved run"

# ---- names and numbers of saved runs, which anybody may have written

python3 - >"$work/hostile.jsonl" <<'END'
import json
names = ['"><script>', "a;b", "\x01\x1b[31m", "\ufffe", "x" * 100000, "\n", "", "`", "``", "a`", "`b", "+0x1", "\ud83d\ude00"]
for i, name in enumerate(names):
    print(json.dumps({"type": "aggregation", "timestamp": 1, "aggregation-name": "<i>", "printing": 1, "key-names": [name, name],
                      "keys": [name, [{"symbol": name, "file": name, "line": i}, {"symbol": "b`main"}]], "sum": 1 << i}))
for value in (2 ** 63 - 1 - (1 << len(names)), -2 ** 63, -1, 0):
    print(json.dumps({"type": "aggregation", "timestamp": 1, "aggregation-name": "<i>", "printing": 1, "key-names": [],
                      "keys": ["k", [{"symbol": "b`main"}]], "sum": value}))
END
mapfile -t again < <(options "$work/again" '<i>')
dtrace_run --from "$work/hostile.jsonl" "${again[@]}"
is $status 0 "hostile names"
decoded "$work/again"
for kind in $kinds; do
	is "$(sed -n 's/^total //p' "$work/again.$kind.stacks")" 9223372036854775806 "$kind: large values add up, others are left out"
	is "$(grep -c 'b`main' "$work/again.$kind.stacks")" "$(grep -c 'b`main' "$work/again.folded.stacks")" "$kind: all rows"
done

# ---- errors

for kind in pprof firefox; do
	dtrace_run --$kind /dev/full -n 'BEGIN { @[stack()] = count(); exit(0); }'
	is "$status $(grep -v matched "$work/err")" "1 dtrace: could not write '/dev/full': No space left on device" "$kind on a full disk"
	dtrace_run --$kind "$work/none" -n 'BEGIN { @ = count(); exit(0); }'
	has "$work/err" "'$work/none' was not written: no aggregation has stacks" "$kind without stacks"
	dtrace_run --$kind "@no=$work/none" -n 'BEGIN { @[stack()] = count(); exit(0); }'
	is "$status" 2 "$kind of an aggregation that does not exist"
	dtrace_run --from "$work/run.jsonl" --from "$work/run.jsonl" --$kind "$work/none"
	has "$work/err" 'its format cannot compare two runs' "$kind of two runs"
done
dtrace_run --html "$work/none" -n 'BEGIN { trace(1); exit(0); }'
is "$(grep -v matched "$work/err")" "dtrace: '$work/none' was not written: there is no aggregation" "nothing to draw, without a hint about saved runs"
ok "no file is left" test ! -e "$work/none"

done_testing
