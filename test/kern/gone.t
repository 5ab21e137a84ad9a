#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# gone.t: names of addresses in processes that end before the addresses are printed.
# rows: ustack usym umod
# guests: 6.1
. "${0%/*}/lib.sh"

# A process that lives a moment longer than the traced event.
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
lines=$(grep -c -E 'libc.so.*`(write|[_a-z]*syscall_cancel)' "$work/out")
ok "stack and function have names" test "$lines" -ge 2 || note_file out "$work/out"
ok "no address is left" test "$(grep -c '0x[0-9a-f]\{6\}' "$work/out")" = 0 ||
	note_file out "$work/out"

# A process that ends at once.
dtrace_run -qn 'syscall::exit_group:entry /pid == $target/ { @[ustack(1)] = count(); }' -c /bin/true
has "$work/out" 'libc.so.*`_[eE]xit' "a command that is over at once"

# Its children end long before the trace does.
cat >"$work/many.sh" <<'END'
for i in 1 2 3; do /bin/sh -c 'echo a >/dev/null; sleep 0.3'; done
END
dtrace_run -qn 'syscall::write:entry /progenyof($target)/ { @[ustack(1)] = count(); }' \
	-c "/bin/sh $work/many.sh"
is "$(grep -c -E 'libc.so.*`(write|[_a-z]*syscall_cancel)' "$work/out")" 3 "each child has a stack with names"
is "$(awk 'NF == 1 && $1 ~ /^[0-9]+$/ { n += $1 } END { print n + 0 }' "$work/out")" 3 "and one write"

# The function that makes a cancellable call: a function for each call, or from glibc 2.41 on one for all calls.
sleeps='([_a-z]*nanosleep|[_a-z]*syscall_cancel[_a-z]*)'

# named OBJECT`FUNCTION COUNT TEXT: checks that COUNT stacks begin there, and none without a name.
named() {
	is "$(grep -Ec "^ *$1\\+0x" "$work/out")" "$2" "$3"
	is "$(grep -Ec '^ *([^ ]*`)?0x' "$work/out")" 0 "... with nothing left without a name"
}

# Many processes that end at once: the kernel's notifications during their lives suffice.
naps=$top/build/test-naps
echo 'for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do "$1" 1 0; done' >"$work/short.sh"
calls='syscall::clock_nanosleep:entry /progenyof($target) && execname != "sh"/ { @[ustack(1), pid] = count(); }'
dtrace_run -qn "$calls" -c "/bin/sh $work/short.sh $naps"
named "libc.so.6\`$sleeps" 20 "processes that are over at once"

# Several processes of a program have one row.
printf '"$1" 2 0 & "$1" 2 0 & wait\n' >"$work/two.sh"
dtrace_run -qn 'syscall::clock_nanosleep:entry /progenyof($target) && execname == "test-naps"/ { @[umod(uregs[R_PC])] = count(); }' \
	-c "/bin/sh $work/two.sh $naps"
is "$(awk '$1 ~ /libc|^0x/ { print $1, $2 }' "$work/out" | paste -sd ,)" "libc.so.6 8" "umod() of two processes of a program"

# Only the processes and their parent see their file.
mkdir "$work/there"
printf 'mount -t tmpfs none %s && cp %s %s && . %s\n' "$work/there" "$naps-static" "$work/there/naps" "$work/short.sh" >"$work/apart.sh"
dtrace_run -qn "$calls" -c "unshare -m /bin/sh $work/apart.sh $work/there/naps"
named "naps\`$sleeps" 20 "in another mount namespace"

# Copies of a shell map nothing themselves.
echo 'for i in 1 2 3 4 5 6 7 8 9 10; do (umask 077); done' >"$work/copies.sh"
dtrace_run -qn 'syscall::umask:entry /progenyof($target) && pid != $target/ { @[ustack(1)] = count(); }' -c "/bin/sh $work/copies.sh"
named 'libc.so.6`umask' 10 "children that execute nothing"

# A file is replaced while it runs: its calls after that count, and the file stays until dtrace has read it.
cp "$naps-static" "$work/old"
cat >"$work/replaced.sh" <<'END'
"$1" 600 100 &
until [ "$(readlink /proc/$!/exe)" = "$1" ]; do sleep 0.05; done
cp /bin/true "$1.new"
mv "$1.new" "$1"
sleep 1
kill $!
wait
END
dtrace_run -qn 'syscall::rename*:return /progenyof($target) && execname == "mv"/ { replaced = 1; }
	syscall::clock_nanosleep:return /progenyof($target) && execname == "old" && replaced/ { @[ustack(1)] = count(); n++; }
	syscall::clock_nanosleep:return /n == 2/ { exit(0); }' -c "/bin/sh $work/replaced.sh $work/old"
named "old\`$sleeps" 1 "a program whose file was replaced"

# dtrace keeps this many processes, the last ones.
dtrace_run -qx pgmax=2 -n 'syscall::write:entry /progenyof($target)/ { @[ustack(1)] = count(); }' \
	-c "/bin/sh $work/many.sh"
between "$(grep -c -E 'libc.so.*`(write|[_a-z]*syscall_cancel)' "$work/out")" 1 2 "names of the processes that are kept"

# The process of -c is never dropped.
dtrace_run -qx pgmax=2 -n 'syscall::exit_group:entry /pid == $target/ { @[ustack(1)] = count(); }
	syscall::write:entry /progenyof($target)/ { @others[ustack(1)] = count(); }' -c "/bin/sh $work/many.sh"
has "$work/out" 'libc.so.*`_[eE]xit' "a command with more children than are kept"

done_testing
