#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# gone.t: names of addresses in processes that have ended before they are printed.
# rows: ustack usym umod
. "${0%/*}/lib.sh"

# A process that lives a moment after what is traced.
cat >"$work/child.sh" <<'END'
echo first >/dev/null
sleep 0.3
exec /bin/sh -c 'echo second >/dev/null; sleep 0.3'
END
dtrace_run -qn 'syscall::write:entry
	/pid == $target/
	{
		@[ustack(1)] = count();
		@names[ufunc(uregs[R_PC]), umod(uregs[R_PC])] = count();
	}
	END { printf("END\n"); }' -c "/bin/sh $work/child.sh"
is $status 0 "a run over two programs of one process"
lines=$(grep -c 'libc.so.*`write' "$work/out")
ok "stack and function have names" test "$lines" -ge 2 || note_file out "$work/out"
ok "no address is left" test "$(grep -c '0x[0-9a-f]\{6\}' "$work/out")" = 0 ||
	note_file out "$work/out"

# One that is over at once.
dtrace_run -qn 'syscall::exit_group:entry /pid == $target/ { @[ustack(1)] = count(); }' -c /bin/true
has "$work/out" 'libc.so.*`_[eE]xit' "a command that is over at once"

# Its children are gone long before the end.
cat >"$work/many.sh" <<'END'
for i in 1 2 3; do /bin/sh -c 'echo a >/dev/null; sleep 0.3'; done
END
dtrace_run -qn 'syscall::write:entry /progenyof($target)/ { @[ustack(1)] = count(); }' \
	-c "/bin/sh $work/many.sh"
is "$(grep -c 'libc.so.*`write' "$work/out")" 3 "each child has a stack with names"
is "$(awk 'NF == 1 && $1 ~ /^[0-9]+$/ { n += $1 } END { print n + 0 }' "$work/out")" 3 "and one write"

# As many as are kept, the last ones.
dtrace_run -qx pgmax=2 -n 'syscall::write:entry /progenyof($target)/ { @[ustack(1)] = count(); }' \
	-c "/bin/sh $work/many.sh"
between "$(grep -c 'libc.so.*`write' "$work/out")" 1 2 "names of the processes that are kept"

done_testing
