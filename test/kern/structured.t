#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# structured.t: output as a document: --libxo, -x oformat, -O.
# rows: --libxo -O -xoformat
# guests: none
. "${0%/*}/lib.sh"

# document FORMAT D-TEXT [OPTION...]: prints dtrace's output, without times, CPUs and facts about the run.
document() {
	local format=$1 text=$2
	shift 2
	dtrace_run --libxo "$format" "$@" -n "$text"
	sed -E 's/"timestamp":[0-9]+,"cpu":[0-9]+,//g; s/"timestamp":[0-9]+,//g
		s,<timestamp>[0-9]+</timestamp><cpu>[0-9]+</cpu>,,g
		s/,"run": [{]"program".*/}}/' "$work/out"
}

head='{"dtrace": {"probes": [{"id":1,"provider":"dtrace","module":"","function":"","name":"BEGIN","output": ['
is "$(document json 'BEGIN { trace(1); trace("a\"b"); exit(0); }')" \
	"$head"'{"value":1},{"value":"a\"b"}]}]}}' "values"
is "$(document json 'BEGIN { printf("%d-%s\n", -4, "x"); printf("-"); exit(0); }')" \
	"$head"'{"message":"-4-x\n"},{"value":-4},{"value":"x"},{"message":"-"},{"value":0}]}]}}' "printf()"
is "$(document json 'BEGIN { @a["y", 2] = sum(5); @a["x", 1] = sum(-7); normalize(@a, 2); printa(@a); exit(0); }')" \
	"$head"'{"aggregation-data": [{"keys": ["x",1],"sum":-3},{"keys": ["y",2],"sum":2}],"aggregation-name":"a","aggregation-function":"sum"}]}]}}' \
	"an aggregation, sorted and normalized"
is "$(document json 'BEGIN { @q = lquantize(5, 0, 10, 5); @q = lquantize(-1, 0, 10, 5); printa("%@d", @q); exit(0); }')" \
	"$head"'{"aggregation-data": [{"keys": [],"buckets": [{"value":"< 0","count":1},{"value":5,"count":1}]}],"aggregation-name":"q","aggregation-function":"lquantize"}]}]}}' \
	"a histogram"
is "$(document json 'BEGIN { @s = stats(3); @s = stats(5); printa(@s); exit(0); }')" \
	"$head"'{"aggregation-data": [{"keys": [],"count":2,"avg":4,"sum":8}],"aggregation-name":"s","aggregation-function":"stats"}]}]}}' \
	"several numbers in one value"
is "$(document json 'BEGIN { @t[pid, arg0 + 1  & 7, "x"] = quantize((timestamp - timestamp) / 1000); exit(0); }' -O |
	sed 's/.*"aggregation-name"/"aggregation-name"/')" \
	'"aggregation-name":"t","aggregation-function":"quantize","key-names": ["pid","arg0 + 1 & 7",""],"unit":"us"}]}]}}' \
	"names of keys, and the unit"
dtrace_run -O -x oformat=jsonl -n 'BEGIN { self->t = timestamp; self->t += 5; start[1] = vtimestamp; this->d = timestamp - self->t;
	this->m = timestamp; this->m = arg0;
	@a = quantize(timestamp - self->t); @b = sum((timestamp - self->t) / 1000); @c = avg(this->d / 1000000);
	@d = max(walltimestamp / 1000000000); @e = quantize(vtimestamp - start[1]); @f = lquantize((size_t)arg0, 0, 10, 1);
	@h_ms = min(arg0); @bytes = quantize(this->d); @j = quantize(this->d > 0 ? this->d : 0); @k = quantize(-this->d / 1);
	@x1 = quantize(arg0); @x2 = quantize(this->d * 2); @x3 = quantize(this->m); @x4 = count(); @x5 = sum(this->d / 1024);
	@x6 = sum(5); @s = sum(arg0); exit(0); }'
is "$(sed -n 's/.*"aggregation-name":"\([^"]*\)".*"unit":"\([a-z]*\)".*/\1 \2/p' "$work/out" | sort | xargs)" \
	"a ns b us bytes bytes c ms d s e ns f bytes h_ms ms j ns k ns" "units"
is "$(grep -c '"aggregation-name":"[xs][1-6]*"' "$work/out")" 7 "values without a known unit"
is "$(document json 'BEGIN { cat("/proc/sys/kernel/%s", "ostype"); exit(0); }')" \
	"$head"'{"value":"Linux\n"}]}]}}' "cat()"
is "$(document json 'struct s { int a; struct { char c[4]; } in; } g; BEGIN { g.a = 3; print(g); exit(0); }')" \
	"$head"'{"type": [{"object-name":"D","name":"struct s","ctfid":0},{"member-name":"a","name":"int","ctfid":0,"value":"0x3"},{"member-name":"in","name":"struct","ctfid":0},{"member-name":"c","name":"char [4]","ctfid":0,"value":"[ \"\" ]"}]}]}]}}' \
	"print()"
is "$(document json 'BEGIN { p = (char *)alloca(4); *p = 0x41; tracemem(p, 3); exit(0); }')" \
	"$head"'{"tracemem":"410000"}]}]}}' "tracemem()"
is "$(document xml 'BEGIN { trace("<&>"); @["k"] = count(); exit(0); } END { printa(@); }' |
	sed 's/<id>.*<output>/[...]<output>/')" \
	'<dtrace><probes>[...]<output><aggregation-data><keys>k</keys><count>1</count></aggregation-data><aggregation-name>_</aggregation-name><aggregation-function>count</aggregation-function></output></probes></dtrace>' \
	"XML"
is "$(document html 'BEGIN { trace("<&>"); exit(0); }' | grep -o '<div class="data" data-tag="value">.*</div>')" \
	'<div class="data" data-tag="value">&lt;&amp;&gt;</div></div></div></div>' "HTML"
has "$work/err" "description 'BEGIN ' matched 1 probe" "messages are text"
is "$(document json 'BEGIN { x = 1; exit(0); }')" '{"dtrace": {"probes": []}}' "what gives no data leaves no trace"

is "$(document json 'BEGIN { @a = count(); exit(0); }')" '{"dtrace": {"probes": []}}' "aggregations at the end are not printed"
is "$(document json 'BEGIN { @a = count(); exit(0); }' -O)" \
	'{"dtrace": {"probes": [{"cpu":-1,"id":-1,"provider":"dtrace","module":"INTERNAL","function":"INTERNAL","name":"END","output": [{"aggregation-data": [{"keys": [],"count":1}],"aggregation-name":"a","aggregation-function":"count"}]}]}}' \
	"unless with -O"
# Idle processors may have no timer, and then the kernel does not sample them.
for cpu in $(seq 0 $(($(nproc) - 1))); do
	timeout 60 taskset -c "$cpu" sh -c 'while :; do :; done' &
	own_pids+=($!)
done
dtrace_run --libxo json -O -x aggpercpu -n 'profile-100hz /!seen[cpu]/ { seen[cpu] = 1;
		@q = quantize(1, 2 + cpu); @m = min(100 + cpu); @k["k"] = sum(cpu); @k["k"] = sum(1); }
	tick-1s { exit(0); }'
for pid in "${own_pids[@]}"; do
	end_pid "$pid"
done
for cpu in $(seq 0 $(($(nproc) - 1))); do
	has "$work/out" '{"cpu":'$cpu',"buckets": \[{"value":1,"count":'$((2 + cpu))'}\]}' "aggpercpu: histogram, CPU $cpu"
	has "$work/out" '{"cpu":'$cpu',"min":'$((100 + cpu))'}' "minimum"
	has "$work/out" '{"cpu":'$cpu',"sum":'$((1 + cpu))'}' "sum"
done
has "$work/out" '"min":100,"cpus"' "besides the value of all"
document json 'BEGIN { stack(1); exit(0); }' >"$work/doc"
has "$work/doc" '"stack-frames": \[\{"symbol":"[^"]+`[^"]+","module":"[^"]+","name":"[^"]+","offset":[0-9]+,"cut":1\}\]' "a stack"
document json 'BEGIN { i = 0; } BEGIN { a[1] = 1; a[2] = 2; a[3] = 3; a[4] = 4; exit(0); }' -x dynvarsize=64 >"$work/doc"
has "$work/doc" '"name":"DROP","count":[0-9]+,"total":[0-9]+,"kind":[0-9]+,"msg":"[0-9]+ dynamic variable drops' "a loss"
has "$work/err" 'dynamic variable drops' "which is reported as text, too"

dtrace_run -n '#pragma D option oformat=json
BEGIN { trace(1); exit(0); }'
has "$work/out" '"value":1' "as a pragma"
dtrace_run -x oformat=text -qn 'BEGIN { trace(1); exit(0); }'
is "$(cat "$work/out")" "1" "text is no document"
dtrace_run -w --libxo json -qn 'BEGIN { trace(1); freopen("'"$work/other"'"); trace(2); exit(0); }'
has "$work/out" '"value":1\}\]' "a file of its own for each document"
has "$work/other" '^\{"dtrace": .*"value":2\}\]' "also after freopen()"
for format in json:'{"dtrace": {"probes": []}}' xml:'<dtrace></dtrace>'; do
	is "$(document "${format%%:*}" 'END { }' -c true)" "${format#*:}" "${format%%:*} of nothing is a document"
done
dtrace_run --libxo json -n 'END { }' -c true
is "$(sed -E 's/"(start|duration)":[1-9][0-9]*/\1/g' "$work/out")" \
	'{"dtrace": {"probes": [],"run": {"program":"END { }","command":"true","host":"'"$(uname -n)"'","kernel":"'"$(uname -r)"'",start,duration}}}' \
	"facts about the run"
dtrace_run --libxo yaml -n BEGIN
is $status 1 "an unknown format"
has "$work/err" 'failed to set --libxo: Invalid value for specified option' "is refused"

done_testing
