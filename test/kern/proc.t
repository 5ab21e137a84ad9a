#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# proc.t: the proc provider: every probe fires as often as a program has given reason for it, in order,
# with the right arguments.
# rows: FLTILL
. "${0%/*}/lib.sh"

procs=$top/build/test-procs
cd "$work" || exit
cat >"$work/count.d" <<'END'
#pragma D option quiet
proc:::create, proc:::start, proc:::exit, proc:::lwp-create, proc:::lwp-start, proc:::lwp-exit,
proc:::exec, proc:::exec-success, proc:::exec-failure, proc:::fault, proc:::signal-clear,
proc:::signal-handle
/progenyof($target)/
{
	@[probename] = count();
}

proc:::signal-send, proc:::signal-discard
/progenyof($target) && args[1]->pr_pid != $pid/
{
	@[probename] = count();
}

proc:::exit /progenyof($target)/ { @n["reason", args[0]] = count(); }
proc:::fault /progenyof($target)/ { @n["number", args[0]] = count(); }
END { printa("%s %@d\n", @); printa("%s %d %@d\n", @n); }
END

# counts CASE: what the program says of it is what dtrace says.
counts() {
	rm -f "$work/got"
	dtrace_run -o "$work/got" -s "$work/count.d" -c "$procs $1"
	is "$status" 0 "$1: dtrace ends with status 0"
	ok "$1: dtrace reports no drops, errors or faults" dtrace_is_quiet
	grep -v ' 0$' "$work/out" | sort >"$work/want"
	grep . "$work/got" | sort >"$work/seen"
	ok "$1: every probe as often as the program says" cmp -s "$work/want" "$work/seen" ||
		note "$(diff "$work/want" "$work/seen")"
	ok "$1: the program has done it" test "$(grep -c . "$work/want")" -gt 3
}

for case in fork plain-fork vfork spawn script threads thread-exec races signals deaths faults; do
	counts $case
done

done_testing
