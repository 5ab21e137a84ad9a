#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# exec.t: the programs of test/exec that need no firings made up for them print in the kernel, with
# optimization and without, what they print in the interpreter; in guests only with it.
. "${0%/*}/lib.sh"

# run_program FILE OPT: its output and messages, and the status if it is not 0.  Which CPU ran
# BEGIN and END, and what dtrace tells about itself, do not count; nor do addresses of the kernel, with
# four levels of page tables (0xffff...) or five.
run_program() {
	local file=$1 args=() end=()
	read -r -a args < <(sed -n 's|^/\* @args \(.*\) \*/$|\1|p' "$file")
	grep -q 'exit(' "$file" || end=(-c true)
	dtrace_run -x opt="$2" -s "$file" "${end[@]}" "${args[@]}"
	{
		cat "$work/out" "$work/err"
		[ $status = 0 ] || echo "exit status $status"
	} | sed -E -e '/^dtrace: (script|pid) /d' \
		-e 's/^ *[0-9]+( +[12] +:(BEGIN|END) )/  0\1/' -e 's/ on CPU [0-9]+$/ on CPU 0/' \
		-e 's/\(0xff[0-9a-f]{14}\)/(0x...)/'
}

# Messages go to a stream of their own: order within each stream is all that can be compared.
expected() {
	grep -v -e '^dtrace: ' -e '^exit status ' "$1"
	grep '^dtrace: ' "$1"
	grep '^exit status ' "$1"
}

levels=2
fast_here "opt=0" && levels="0 2"
positive "$(ls "$top"/test/exec/*.d | wc -l)" "there are programs"
for file in "$top"/test/exec/*.d; do
	grep -q '^/\* @[^a]' "$file" && continue
	for opt in $levels; do
		is "$(run_program "$file" $opt)" "$(expected "${file%.d}.out")" \
			"$(basename "$file" .d), opt=$opt"
	done
done

done_testing
