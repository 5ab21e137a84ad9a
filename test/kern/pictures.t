#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# pictures.t: pictures show what programs did; pictures, pages and the live view are readable and usable.
# rows: --flame --heat --html --from --top --folded --speedscope -xflame -xheat -xheatrate -xhtml -xtop -xfolded -xspeedscope
# guests: none
# needs: python3 tidy xmllint /usr/lib/python3/dist-packages/html5lib
. "${0%/*}/lib.sh"

program=$top/build/test-pictures
pictures=$top/test/kern/pictures.py
shots=$top/build/pictures
rm -rf "$shots"
mkdir -p "$shots"

# share NAME: prints the share of a frame of the flame graph, in percent; empty if there is none.
share() {
	name=$1 awk '$2 == ENVIRON["name"] { print $1 }' "$work/frames"
}

# drawn FILE: writes its frames to $work/frames; a file that is no XML has none.
drawn() {
	xmllint --noout "$1" 2>"$work/xml" || note_file "$1" "$work/xml"
	/usr/bin/python3 "$pictures" frames "$1" >"$work/frames"
}

# results COMMAND...: turns the result lines of a part of pictures.py into checks.
results() {
	local seen=0
	while IFS= read -r line; do
		case $line in
		'ok - '* | 'not ok - '*)
			seen=$((seen + 1))
			ok "${line#* - }" test "${line%% - *}" = ok
			;;
		*) echo "# ${line#\# }" ;;
		esac
	done < <("$@" 2>&1)
	positive $seen "there are results of $3"
}

# ---- pictures of a run

d='syscall::write:entry /pid == $target/ {
	@stacks[execname, ustack()] = count(); this->k = n++ % 5;
	@sizes[this->k * 7] = sum(this->k * 3 % 5 + 1); @bytes = quantize(arg2);
}
BEGIN { @printed["yes"] = count(); }'
dtrace_run -q -x heatrate=100ms --flame "$shots/flame.svg" --heat "$shots/heat.svg" -n "$d" -c "$program 300 100 500000"
is $status 0 "pictures of a run"
drawn "$shots/flame.svg"
is "$(share 'test-pictures`pic_left')" 75.00 "a frame is as wide as its share"
is "$(share 'test-pictures`pic_right')" 25.00 "and so is the other"
is "$(share 'test-pictures`pic_leaf' | tr '\n' ' ')" '75.00 25.00 ' "a function is drawn for each that calls it"
is "$(share test-pictures)" 100.00 "a key that is no stack is a frame below"
is "$(grep -c pic_left "$work/out")" 0 "what is drawn is not printed, too"
has "$work/out" 'yes +1$' "what is not drawn is printed"
is "$(sed -n 's/.*, 8 bytes: \([0-9]*\)<.*/\1/p' "$shots/heat.svg" | awk '{ n += $1 } END { print n }')" 400 "all that was counted is in the heat map"

dtrace_run -q -O -x html="$shots/page.html" -x heatrate=100ms -n "$d" -c "$program 300 100 300000"
is $status 0 "a page, by -x"
has "$work/out" pic_left "with -O it is printed, too"
is "$(/usr/bin/python3 "$pictures" valid "$shots/page.html")" "" "the page is valid HTML"
# tidy knows no attributes of SVG inside of SVG.
is "$(tidy -q -e "$shots/page.html" 2>&1 | grep -vE '<svg> proprietary attribute')" "" "tidy finds nothing"
is "$(grep -cE '(src|href)="[^#]' "$shots/page.html")" 0 "it refers to nothing outside"

# Its name selects one of several aggregations.
several='syscall::write:entry /pid == $target/ { @first[ustack()] = count(); @second["key", ustack()] = count(); @[ustack(1)] = count();
	@a = quantize(1); @b = lquantize(arg2, 0, 100, 5); }'
dtrace_run -q --flame "@second=$work/second.svg" --heat "@b=$work/b.svg" -n "$several" -c "$program 30 10"
is $status 0 "aggregations are chosen by their names"
drawn "$work/second.svg"
is "$(share key)" 100.00 "the one that was chosen is drawn"
has "$work/b.svg" '@b = lquantize\(\) by time' "and so is the other"
is "$(grep -c 'test-pictures`main' "$work/out")" 2 "those that were not are printed, and no others"
is "$(grep -cE '^ +1 .*40' "$work/out") $(grep -cE '^ +5 .*40' "$work/out")" "1 0" "histograms, too"
dtrace_run -q -x flame="@=$work/nameless.svg" -n "$several" -c "$program 30 10"
drawn "$work/nameless.svg"
is "$(sed -n 1p "$work/frames")$(share 'test-pictures`main')" '100.00 all' "one without a name"
has "$work/nameless.svg" '@ = count\(\), 40 in all' "... and the picture shows that"

# The same stacks for other programs.
# sums FOLDED SPEEDSCOPE: prints the sum of values in each, and whether all stacks are equal.
sums() {
	/usr/bin/python3 - "$@" <<-'END'
	import json, sys
	lines = [line.rstrip("\n").rsplit(" ", 1) for line in open(sys.argv[1])]
	scope = json.load(open(sys.argv[2]))
	names = [f["name"].replace(";", ":") for f in scope["shared"]["frames"]]
	[profile] = scope["profiles"]
	stacks = [[";".join(names[i] for i in s), str(w)] for s, w in zip(profile["samples"], profile["weights"])]
	print(sum(int(n) for _, n in lines), profile["endValue"], sorted(lines) == sorted(stacks))
	END
}
dtrace_run -q --save "$work/run.jsonl" -O --folded "@second=$work/folded" --speedscope "@second=$work/scope.json" -n "$several" \
	-c "$program 30 10"
is "$status $(sums "$work/folded" "$work/scope.json")" "0 40 40 True" "collapsed lines and speedscope"
is "$(grep -c '^key;.*test-pictures`main;.*pic_' "$work/folded")" 2 "a key, and the stack from its root on"
dtrace_run --from "$work/run.jsonl" --folded "@second=$work/folded.2" --speedscope "@second=$work/scope.2"
is "$(sums "$work/folded.2" "$work/scope.2") $(diff <(sort "$work/folded") <(sort "$work/folded.2"))" "40 40 True " "... of a saved run"

# A picture has facts about the run, and names of keys.  The picture of the saved run is the same file.
facts='syscall::write:entry /pid == $target/ { @[arg0 & 1, ustack(), pid - pid] = count(); }'
for save in "--save $work/facts.jsonl" "--libxo jsonl -o $work/facts.jsonl" "--libxo json -o $work/facts.json"; do
	rm -f "${save##* }"
	dtrace_run -q -O $save --flame "$work/facts.svg" -n "$facts" -c "$program 30 10"
	is "$(sed -n 's/^<text class="about"[^>]*>\(.*\)<.*/\1/p' "$work/facts.svg" | tr '\n' ' ' |
		sed -E 's/Start: [0-9: +-]+\. Duration: [0-9.]+ m?s\./TIMES/; s/ +/ /g')" \
		"Program: ${facts//&/&amp;}. Command: $program 30 10. Host: $(uname -n). Kernel: $(uname -r). TIMES Drops: 0. " \
		"facts about the run"
	is "$(sed -n '/^<metadata/{n;p;q}' "$work/facts.svg")" $'arg0 &amp; 1\tpid - pid' "names of keys that are no stacks"
	dtrace_run --from "${save##* }" --flame "$work/facts.saved.svg"
	ok "the same picture of the saved run: $save" cmp "$work/facts.svg" "$work/facts.saved.svg"
done

# clear() does not change the picture.
dtrace_run -q --flame "$work/cleared.svg" -n 'syscall::write:entry /pid == $target/ { @[ustack()] = count(); }
	syscall::write:entry /pid == $target && ++n % 100 == 0/ { clear(@); }' -c "$program 300 100"
drawn "$work/cleared.svg"
is "$(share 'test-pictures`pic_left')" 75.00 "what clear() takes away is in the picture"
has "$work/cleared.svg" '@ = count\(\), 400 in all' "all of it"

# ---- pictures of saved output

for format in json jsonl; do
	"$dtrace" -q -O --libxo $format -o "$work/before.$format" -n "$d" -c "$program 300 100" 2>"$work/err"
	"$dtrace" -q -O --libxo $format -o "$work/after.$format" -n "$d" -c "$program 200 600" 2>"$work/err"
	dtrace_run --from "$work/before.$format" --flame "$work/saved.svg"
	is $status 0 "a picture of $format"
	drawn "$work/saved.svg"
	cp "$work/frames" "$work/frames.saved"
	drawn "$shots/flame.svg"
	is "$(diff "$work/frames" "$work/frames.saved")" "" "is equal to the picture of the run itself"
	dtrace_run --from "$work/before.$format" --flame "@stacks=$work/chosen.svg" --heat "@bytes=$work/bytes.svg"
	ok "that aggregation by its name" cmp "$work/saved.svg" "$work/chosen.svg"
done
# It needs nothing that only root has.
chmod 755 "$work"
mkdir "$work/other"
cp "$dtrace" "$work/before.json" "$work/other"
chown -R 65534 "$work/other"
setpriv --reuid 65534 --clear-groups "$work/other/dtrace" --from "$work/other/before.json" --flame "$work/other/a.svg"
is "$(grep -c '<g class="frame' "$work/other/a.svg")" "$(grep -c . "$work/frames.saved")" "by anybody"
dtrace_run --from "$work/before.json" --from "$work/after.jsonl" --flame "$shots/compared.svg" --html "$work/compared.html"
is $status 0 "two runs compared"
drawn "$shots/compared.svg"
is "$(share 'test-pictures`pic_left')" 50.00 "widths are the mean of the shares in both"
has "$shots/compared.svg" 'before 75.00 %, after 25.00 %: -50.00 points' "with both shares"
is "$(grep -A1 '>test-pictures`pic_right$' "$shots/compared.svg" | grep -c 'class="frame more4"')" 1 "what has grown has its colour"
is "$(grep -A1 '>test-pictures`pic_left$' "$shots/compared.svg" | grep -c 'class="frame less4"')" 1 "and so has what has shrunk"
is "$(/usr/bin/python3 "$pictures" valid "$work/compared.html")" "" "the page is valid HTML"

# Rows that only one of two files has are 0 in the other.
"$dtrace" -q -O --libxo json -o "$work/more.json" -n "$d"'BEGIN { @gone["was", 7] = sum(5); @past[stack()] = count(); @old = quantize(9); }' \
	-c "$program 300 100" 2>"$work/err"
for runs in 'more before 5 0 -5' 'before more 0 5 +5'; do
	read -r one two first then change <<<"$runs"
	dtrace_run --from "$work/$one.json" --from "$work/$two.json" --html "$work/gone.html" --flame "@past=$work/past.svg"
	is $status 0 "runs compared that do not have the same: $one, $two"
	row="was</th><td>7</td><td class=\"number\">$first</td><td class=\"number\">$then</td><td class=\"number\">[$change]*</td>"
	is "$(grep -c "$row" "$work/gone.html")" 1 "a row of one of them"
	is "$(grep -cE '<h2>@(gone|past|old) = ' "$work/gone.html")" 3 "aggregations of one of them"
	is "$(/usr/bin/python3 "$pictures" valid "$work/gone.html")" "" "the page is valid HTML"
	has "$work/past.svg" 'before (100.00 %, after 0.00 %: -|0.00 %, after 100.00 %: \+)100.00 points' "stacks of one of them"
done

# Every total agrees with the saved output, also where addresses of several processes have the same names.
many='syscall:::entry /progenyof($target)/ { @[ustack(), stack()] = count(); @n = count(); } END { printa(@); printa(@n); }'
echo 'for i in 1 2 3 4 5 6 7 8 9 10; do cat /etc/hosts; nice true; done' >"$work/many.sh"
for format in json jsonl; do
	echo "replaced" >"$work/many.$format"
	[ $format = json ] || : >"$work/many.$format"
	"$dtrace" -q --libxo $format -x aggsize=64m -o "$work/many.$format" --flame "@=$work/live.svg" -n "$many" \
		-c "sh $work/many.sh" >/dev/null 2>"$work/err"
	is "$(cat "$work/err")" "" "many stacks as $format"
	total=$(grep -o '"count":[0-9]*' "$work/many.$format" | awk -F: '{ n += $2 } END { print n / 2 }')
	between "$(grep -o '"keys"' "$work/many.$format" | wc -l)" 200 100000 "rows of many stacks"
	dtrace_run --from "$work/many.$format" --flame "@=$work/many.svg"
	has "$work/many.svg" "@ = count\\(\\), $total in all" "all that was saved is drawn"
	is "$(/usr/bin/python3 "$pictures" frames "$work/many.svg")" "$(/usr/bin/python3 "$pictures" frames "$work/live.svg")" \
		"... as it was at once"
done
dtrace_run --from "$work/many.json" --from "$work/many.json" --flame "@=$work/same.svg"
is "$(grep -c ': [-+][0-9.]* points' "$work/same.svg") $(grep -Ec ': [-+]?0.00 points' "$work/same.svg")" \
	"$(grep -c '<g class="frame' "$work/same.svg") $(grep -c '<g class="frame' "$work/same.svg")" "compared with itself nothing has changed"

# An aggregation printed several times counts as last printed; histograms become a heat map.
"$dtrace" -q --libxo jsonl -o "$work/times.jsonl" -n 'BEGIN { @q = quantize(8); } tick-100ms { @q = quantize(8); printa(@q); }
	tick-100ms /++n == 5/ { exit(0); }' 2>"$work/err"
printed=$(grep '^{"type":"aggregation"' "$work/times.jsonl" | tail -n 1 | sed 's/.*"count":\([0-9]*\).*/\1/')
dtrace_run --from "$work/times.jsonl" --heat "$work/times.svg"
is $status 0 "a heat map of what was saved"
is "$(sed -n 's/.*, 8: \([0-9]*\)<.*/\1/p' "$work/times.svg" | awk '{ n += $1 } END { print n }')" "$printed" "has all from the start of tracing"

# ---- errors

/usr/bin/python3 "$pictures" hostile "$work/hostile.json"
dtrace_run --from "$work/hostile.json" --flame "$shots/hostile.svg" --html "$shots/hostile.html"
is $status 0 "hostile names"
is "$(xmllint --noout "$shots/hostile.svg" 2>&1)" "" "break no XML"
is "$(/usr/bin/python3 "$pictures" valid "$shots/hostile.html")" "" "and no HTML"

# refused STATUS MESSAGE ARGUMENT...
refused() {
	local want=$1 message=$2
	shift 2
	dtrace_run "$@"
	is $status "$want" "refused: ${*: -4}"
	has "$work/err" "$message" "it says why"
}
mkdir "$work/empty"
echo '{"dtrace": {"probes": [' >"$work/cut.json"
echo '{"a": 1}' >"$work/other.json"
refused 1 'No such file or directory' --from "$work/none" --flame "$work/empty/a.svg"
refused 1 'the document has no end' --from "$work/cut.json" --flame "$work/empty/a.svg"
refused 1 'not an output of dtrace' --from "$work/other.json" --flame "$work/empty/a.svg"
cat "$work/before.json" "$work/before.json" >"$work/twice.json"
refused 1 'line 2, column 1: another document follows the first' --from "$work/twice.json" --flame "$work/empty/a.svg"
sed '$ s/}/;/' "$work/before.jsonl" >"$work/damaged.jsonl"
refused 1 "line $(wc -l <"$work/before.jsonl"), column [0-9]*: " --from "$work/damaged.jsonl" --flame "$work/empty/a.svg"
refused 1 'unexpected' --from "$dtrace" --flame "$work/empty/a.svg"
refused 1 'no aggregation has histograms by time' --from "$work/many.json" --heat "$work/empty/a.svg"
refused 1 "could not write '/dev/full': No space left on device" --from "$work/before.json" --flame /dev/full
refused 2 'needs --flame' --from "$work/before.json"
refused 1 'cannot compare two runs' --from "$work/before.json" --from "$work/after.json" --folded "$work/empty/a"
refused 2 'two runs' --from a --from b --from c --flame "$work/empty/a.svg"
refused 2 'combined with a program' --from a --flame "$work/empty/a.svg" -n BEGIN
refused 2 "could not write '$work/none/a.svg'" --flame "$work/none/a.svg" -n 'BEGIN { trace("began"); exit(0); }'
is "$(grep -c began "$work/out")" 0 "before anything is traced"
refused 1 'no aggregation has stacks' --flame "$work/empty/a.svg" -n 'BEGIN { @ = count(); exit(0); }'
refused 2 'no aggregation is named @none' --flame "@none=$work/empty/a.svg" -n 'BEGIN { @[stack()] = count(); }'
refused 2 'the keys of @ have no stack' --flame "@=$work/empty/a.svg" -n 'BEGIN { @ = count(); @s[stack()] = count(); }'
refused 2 '@s is count\(\), which has no histogram' -x "heat=@s=$work/empty/a.svg" -n 'BEGIN { @s = count(); @ = quantize(1); }'
refused 1 '@s has no stacks with a value' --flame "@s=$work/empty/a.svg" -n 'BEGIN { @[stack()] = count(); exit(0); } tick-1h { @s[stack()] = count(); }'
refused 1 'no aggregation is named @none' --from "$work/before.json" --flame "@none=$work/empty/a.svg"
refused 1 '@sizes has no stacks' --from "$work/before.json" --from "$work/after.json" --flame "@sizes=$work/empty/a.svg"
for value in @stacks @stacks= @ @=; do
	refused 1 'Invalid value for specified option' --from "$work/before.json" --flame "$value"
done
refused 1 'Invalid value for specified option' --from "$work/before.json" --html "@stacks=$work/empty/a.html"
refused 2 'not a terminal' --top -n 'BEGIN { @ = count(); }'
is "$(ls "$work/empty")" "" "no file is left"
if mkdir "$work/small" && mount -t tmpfs -o size=16k none "$work/small" 2>/dev/null; then
	echo before >"$work/small/a.html"
	refused 1 'No space left on device' --from "$work/before.json" --html "$work/small/a.html"
	is "$(ls "$work/small")$(cat "$work/small/a.html")" a.htmlbefore "on a full disk what was there is left"
	umount "$work/small"
else
	skip "a full disk" "tmpfs cannot be mounted"
fi

# ---- rendering and use

if /usr/bin/python3 -c 'import pyte' 2>/dev/null; then
	results /usr/bin/python3 "$pictures" top "$dtrace"
else
	skip "the live view" "Debian's python3-pyte is not installed"
fi
if type -P chromium >/dev/null && /usr/bin/python3 -c 'import selenium' 2>/dev/null; then
	results /usr/bin/python3 "$pictures" browser "$shots"
else
	skip "pictures in a browser" "Debian's chromium-driver and python3-selenium are not installed"
fi
# A stack that lost its callers does not stand beside whole stacks.  Without a number, stacks are as deep as possible.
deep='import os\ndef f(n):\n    return f(n - 1) if n else os.getppid()\nlist(map(f, [2]))\nimport re; re.sub("a", lambda m: str(f(30)), "aa")'
printf "$deep" >"$work/deep.py"
dtrace_run --flame "$work/cut.svg" -n 'syscall::getppid:entry /pid == $target/ { @[ustack(2)] = count(); }' -c "/usr/bin/python3 $work/deep.py"
has "$work/cut.svg" '\(cut\)' "a cut stack stands on (cut)"
dtrace_run --flame "$work/whole.svg" -n 'syscall::getppid:entry /pid == $target/ { @[ustack()] = count(); }' -c "/usr/bin/python3 $work/deep.py"
ok "a whole one does not" eval '! grep -q "(cut)" "$work/whole.svg" && grep -q "_start" "$work/whole.svg"'
# Saved stacks are marked as cut, too, and so are stacks with frames of a language.
cut='syscall::getppid:entry /pid == $target/ { @a[ustack(2)] = count(); @b[immstack(1)] = count(); @c[jstack(20)] = count(); @d[jstack()] = count(); }'
"$dtrace" -q --save "$work/cut.jsonl" --flame "@a=$work/a.svg" -n "$cut" -c "/usr/bin/python3 $work/deep.py" >/dev/null 2>&1
for agg in 'a 1' 'b 1' 'c 1' 'd 0'; do
	dtrace_run --from "$work/cut.jsonl" --flame "@${agg% *}=$work/saved-cut.svg"
	is "$(grep -c 'title>(cut)$' "$work/saved-cut.svg")" "${agg#* }" "saved stacks of @${agg% *} that are cut"
done
dtrace_run --save "$work/none.jsonl" -n 'BEGIN { trace(1); exit(0); }'
dtrace_run --from "$work/none.jsonl" --flame "$work/none.svg"
has "$work/err" 'there is no aggregation; save runs with --save or -O' "a saved run without aggregations"

# A saved run is not trusted: no text of it is markup of a page.
cat >"$work/hostile.jsonl" <<'END'
{"type":"run","timestamp":1,"program":"<script>a","host":"<script>b","kernel":"<script>c","start":1}
{"type":"aggregation","timestamp":2,"cpu":0,"id":1,"provider":"<script>d","module":"<script>e","function":"<script>f","name":"<script>g","aggregation-name":"<script>h","aggregation-function":"<script>i","key-names":["<script>j"],"unit":"<script>k","printing":1,"keys":["<script>l"],"count":1}
END
"$dtrace" --from "$work/hostile.jsonl" --html "$work/hostile.html"
is "$(grep -c '<script>[a-l]' "$work/hostile.html")" 0 "--html of a hostile run: no markup"
has "$work/hostile.html" "&lt;script&gt;l" "... and the text"

done_testing
