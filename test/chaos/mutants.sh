#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# mutants.sh SEED COUNT: saved runs with bits, lines and numbers changed, deep nesting and huge numbers.
# Reading them ends with output or a message, and no markup of the data is markup of a page.
rounds=600
. "${0%/*}/lib.sh"

mark='<script>alert(7)</script>'
"$dtrace" -qn 'BEGIN { printf("'"$mark"'\n"); @s["'"$mark"'", stack()] = count(); @c = count();
	@q["'"$mark"'"] = quantize(timestamp); @l = lquantize(5, 0, 10, 1); @a["<b>", 1] = avg(3); }
	profile-97 { @h = quantize(cpu); } tick-50ms { printa(@s); } tick-200ms { exit(0); }' --save "$work/saved" >/dev/null || exit 2

outputs=(text --html --flame --heat --folded --pprof --speedscope --firefox --chrome --perfetto)
for ((i = 0; i < count; i++)); do
	begin_round
	"$here/mutate.py" "$work/saved" $((seed * 1000003 + i)) >"$work/mutant"
	output=${outputs[i % ${#outputs[@]}]}
	[ "$output" = text ] && arguments=() || arguments=("$output" "$work/out/file")
	faults=$((deaths + hangs + silent + wrong))
	below 5
	[ $n != 0 ] || arguments+=(--from "$work/saved")
	run -q --from "$work/mutant" "${arguments[@]}"
	check_death
	check_silent "$output"
	case $output in
	text) ;;
	--html | --flame | --heat)
		! grep -aEq '<script>alert|<img src=x|<b>' "$work/out/file" 2>/dev/null || fault wrong "markup of the data in the file of $output"
		;;&
	*) [ $status != 0 ] || [ -e "$work/out/file" ] || [ -s "$work/err" ] || fault silent "$output: status 0, no file" ;;
	esac
	[ $faults = $((deaths + hangs + silent + wrong)) ] || echo "#   $output, $here/mutate.py SAVED $((seed * 1000003 + i))"
done
end_round
report
