#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# merge.t: option mergestacks: the same stack, or symbol, of many processes is one key.
# rows: -xmergestacks
# guests: 6.12
. "${0%/*}/lib.sh"

# Twenty processes, half of which run a copy of the file.
naps=$top/build/test-naps
mkdir "$work/copy"
cp "$naps" "$work/copy"
echo 'for i in 1 2 3 4 5 6 7 8 9 10; do "$1" 1 0; "$2" 1 0; done' >"$work/many.sh"

# run NAME OPTION...: writes rows of NAME to $work/NAME: a stack in one line, and its count.
run() {
	local name=$1
	shift
	dtrace_run -q "$@" -n 'syscall::clock_nanosleep:entry
		/progenyof($target) && execname != "sh"/
		{
			@stack[ustack()] = count();
			@top[ustack(1)] = count();
			@func[ufunc(uregs[R_PC]), umod(uregs[R_PC])] = count();
		}
		END { printa("stack %@d%k\n", @stack); printa("top %@d%k\n", @top); printa("func %@d %A %A\n", @func); }' \
		-c "/bin/sh $work/many.sh $naps $work/copy/test-naps"
	ok "$name: nothing is lost" dtrace_is_quiet
	awk '/^(stack|top|func) [0-9]/ { if (row) print row; row = $0; next }
		NF { row = row " " $1 } END { print row }' "$work/out" >"$work/$name"
}

# rows KIND, count KIND [FUNCTION]: print results of the last run.
rows() {
	grep -c "^$1 " "$work/$name"
}
count() {
	awk -v kind="$1" -v wanted="[\`]${2:-}" '$1 == kind && $0 ~ wanted { n += $2 } END { print n + 0 }' "$work/$name"
}

name=apart
run $name
is "$(rows top)" 20 "without it each process has a row"
is "$(count top)" 40 "... which are all of them"

name=merged
run $name -x mergestacks
is "$(rows top)" 1 "with it they have one together"
is "$(count top)" 40 "... which is all of them"
is "$(rows func)" 1 "so has a function with its module"
is "$(count func)" 40 "... which is all of them"
is "$(count stack)" 40 "whole stacks"
is "$(grep '^stack' "$work/$name" | cut -d' ' -f3- | sort | uniq -d)" "" "no stack is shown twice"

# Without a name, the key is the address in the file, or in the process if that is fixed.
place() {
	dtrace_run -q "$@" -n 'syscall::clock_nanosleep:entry /pid == $target/ { @[ustack(1)] = count(); @u[uaddr(uregs[R_PC])] = count(); }' \
		-c "$naps-stripped 1 0"
	awk '/`0x/ { print $1 }' "$work/out"
}
here=$(place)
is "$(wc -w <<<"$here")" 2 "a place without a name"
is "$(place -x mergestacks)" "$here" "... is the same with the option"

done_testing
