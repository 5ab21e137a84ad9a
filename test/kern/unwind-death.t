#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# unwind-death.t: the stack of a process whose first firing is its last.
#
# guests: none
# alone: it needs the time that dtrace spends on reading processes
. "${0%/*}/lib.sh"

[ "$(uname -m)" = x86_64 ] || skip_all "unwind tables are read for x86-64 only"
compiler_here "a program that dies" || skip_all "no compiler"

gcc -O1 -fomit-frame-pointer -fno-optimize-sibling-calls -o "$work/ud-victim" -x c - <<'END'
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
static int *volatile nowhere;
__attribute__((noinline)) int fatal(int how)
{
	int ends[2];

	if (how == 0 && pipe(ends) == 0 && close(ends[0]) == 0)
		return (int)write(ends[1], "x", 1) + 1;
	if (how == 1)
		abort();
	return how == 2 ? *nowhere : 1;
}
__attribute__((noinline)) int work(int how) { return fatal(how) + 1; }
int main(int argc, char **argv)
{
	usleep(100000);
	return work(argc > 1 ? atoi(argv[1]) : 0);
}
END

# Three processes, one after the other.
printf 'for i in 1 2 3; do "$1" "$2"; done 2>/dev/null\n' >"$work/victims"

# deaths HOW CONDITION TEXT: in a PID namespace, where other processes do not take the time of dtrace.
deaths() {
	unshare -pfm --mount-proc "$dtrace" -qn "proc:::signal-send /$2/ { @[ustack()] = count(); }" \
		-c "sh $work/victims $work/ud-victim $1" >"$work/out" 2>"$work/err"
	is "$(grep -cE 'ud-victim`(fatal|main)' "$work/out") $(grep -c 'not unwound' "$work/out")" "6 0" "$3"
	note_file errors "$work/err"
}

deaths 0 'args[2] == SIGPIPE && execname == "ud-victim"' "SIGPIPE of a process that the condition names"
deaths 0 'args[2] == SIGPIPE && progenyof($target)' "SIGPIPE of a descendant"
deaths 1 'args[2] == SIGABRT' "SIGABRT of any process"
deaths 2 'args[2] == SIGSEGV' "SIGSEGV of any process"
done_testing
