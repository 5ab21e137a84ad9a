#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# unwind-named.t: the first stack of a process that a condition names is whole.
#
# guests: none
. "${0%/*}/lib.sh"
. "${0%/*}/tools.sh"

[ "$(uname -m)" = x86_64 ] || skip_all "unwind tables are read for x86-64 only"
compiler_here "a program without frame pointers" || skip_all "no compiler"

# The locals let each function have a frame of its own; nothing of it is in the frame pointer.
gcc -O1 -fomit-frame-pointer -fno-optimize-sibling-calls -o "$work/un-napper" -x c - -lpthread <<'END'
#include <pthread.h>
#include <time.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
__attribute__((noinline)) int nap_inner(void)
{
	struct timespec t;
	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_nsec += 20000000;
	t.tv_sec += t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	pthread_mutex_lock(&m);
	pthread_cond_timedwait(&c, &m, &t);
	return pthread_mutex_unlock(&m);
}
__attribute__((noinline)) int nap_outer(void) { return nap_inner() + 1; }
int main(void) { for (;;) nap_outer(); }
END
"$work/un-napper" &
napper=$!
own_pids+=("$napper")

# first CONDITION: prints the functions of the program in the first stack.
first() {
	dtrace_run -qn "syscall::futex:entry /$1/ { ustack(); exit(0); }"
	sed -n 's/^ *un-napper`\(nap_[a-z]*\).*/\1/p; s/^ *\((not.*\)/\1/p' "$work/out" | paste -sd ' '
}

for condition in "pid == $napper" "tid && (0 || (int)pid == $napper)" 'execname == "un-napper"' \
	'"un-napper" == curpsinfo->pr_fname' "progenyof($napper)"; do
	is "$(first "$condition")" "nap_inner nap_outer" "the first stack of $condition"
done

for tool in "offcpu -u -p $napper" "offcpu -u -n un-napper" "lockwait -p $napper" "profile -u -p $napper"; do
	# shellcheck disable=SC2086
	tool_start Tracing $tool
	tool_stop
	is "$(grep -c 'not unwound' "$work/out")" 0 "$tool: whole stacks"
done
done_testing
