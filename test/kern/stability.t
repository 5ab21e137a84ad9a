#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# stability.t: attributes and arguments in the output of -v and -lv, and option amin.
# rows: -v -xamin
# guests: none
. "${0%/*}/lib.sh"

# attributes TITLE N: prints the N-th block of attributes with this title, as "Stable/Stable/Common".
attributes() {
	grep -A 3 "^	$1 Attributes\$" "$work/out" | sed 's/.*: *//' | grep -v -e Attributes -e -- |
		paste -sd '//\n' | sed -n "$2p"
}

dtrace_run -e -v -n 'BEGIN { trace(pid); }'
is "$(head -n 2 "$work/out")" $'\nStability attributes for description BEGIN :' "-v: the title"
is "$(attributes "Minimum Probe Description" 1)" Unstable/Unstable/Common "-v: of a description without a provider"
is "$(attributes "Minimum Statement" 1)" Stable/Stable/Common "-v: of the statements"
has "$work/out" '^:::BEGIN$' "-e -v: the description of each clause"
has "$work/out" '^	Argument Types$' "-e -v: its arguments"

echo 'BEGIN { trace(curthread); } syscall::read:entry { trace(arg0); }' >"$work/two.d"
dtrace_run -e -v -s "$work/two.d"
is "$(sed -n 2p "$work/out")" "Stability attributes for script $work/two.d:" "-v: the title of a script"
is "$(attributes "Minimum Probe Description" 1)" Private/Private/ISA "the least of all descriptions"
is "$(attributes "Minimum Statement" 1)" Stable/Private/Common "the least of all statements"
has "$work/out" '^syscall::read:entry$' "-e -v: the second clause"

dtrace_run -v -n 'BEGIN { exit(0); }'
is "$(grep -c Minimum "$work/out")" 2 "-v while tracing"
is "$(grep -c "Argument Types" "$work/out")" 0 "without the clauses"

dtrace_run -lv -n BEGIN
is "$(sed -n '2,$p' "$work/out")" "    1     dtrace                                                     BEGIN

	Probe Description Attributes
		Identifier Names: Stable
		Data Semantics:   Stable
		Dependency Class: Common

	Argument Attributes
		Identifier Names: Stable
		Data Semantics:   Stable
		Dependency Class: Common

	Argument Types
		None" "-lv"

mkdir "$work/lib"
cat >"$work/lib/mine.d" <<'END'
#pragma D attributes Unstable/Unstable/CPU provider mine args
provider mine { probe a(int); };
#pragma D attributes Stable/Evolving/Group provider mine provider
#pragma D attributes Stable/Stable/Group provider mine name
END
dtrace_run -lv -L "$work/lib" -n mine:::a
is "$(attributes "Probe Description" 1)" Stable/Evolving/Group "a provider's attributes, by pragma"
is "$(attributes Argument 1)" Unstable/Unstable/CPU "stability of the arguments, from before it"
has "$work/out" '^		args\[0\]: int$' "and their types"

dtrace_run -e -x errtags -x amin=Stable/Stable/Common -n 'BEGIN { trace(curthread); }'
has "$work/err" '\[D_ATTR_MIN\]' "amin: a variable"
dtrace_run -e -x errtags -x amin=Evolving/Evolving/ISA -n 'syscall::read:entry'
has "$work/err" '\[D_ATTR_MIN\]' "amin: a description"
dtrace_run -e -x amin=Stable/Stable/Common -n 'dtrace:::BEGIN { trace(pid); }'
is $status 0 "amin: all is stable enough"

done_testing
