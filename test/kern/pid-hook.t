#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# pid-hook.t: returns of functions by hooks of the kernel (option uretprobe).  The traced programs break such
# hooks by unwinding, longjmp(), the end of threads and deep recursion.
#
# guests: none
# rows: -xuretprobe DTRACEDROP_RETURNS
# needs: gcc g++
. "${0%/*}/lib.sh"

cd "$work" || exit
cat >hook.c <<'END'
#include <execinfo.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#define NOIPA __attribute__((noipa))
static jmp_buf out;
static NOIPA long twice(long n) { return 2 * n; }
static NOIPA int nest(int n) { return n ? nest(n - 1) + 1 : 0; }
static NOIPA int jump(int n) { if (n == 0) longjmp(out, 7); return jump(n - 1) + 1; }
static NOIPA void *leave(void *arg) { if (arg) pthread_exit(arg); return arg; }
static NOIPA void *outer(void *arg) { void *p = leave(arg); return p; }
static NOIPA void *waits(void *arg) { pause(); return arg; }
static NOIPA int depth(void) { void *p[20]; int n = backtrace(p, 20); return n > 0; }
int main(int argc, char **argv)
{
	long sum = 0;
	pthread_t t;
	void *res;

	if (strcmp(argv[1], "nest") == 0) {
		printf("%d\n", nest(atoi(argv[2])));
	} else if (strcmp(argv[1], "loop") == 0) {
		for (;;)
			usleep((unsigned int)twice(100));
	} else {
		for (int i = -5; i < 1000; i++)
			sum += twice(i);
		if (setjmp(out) == 0)
			jump(3);
		sum += twice(1);
		pthread_create(&t, NULL, outer, "x");
		pthread_join(t, &res);
		printf("%s ", (char *)res);
		pthread_create(&t, NULL, waits, NULL);
		usleep(10000);
		pthread_cancel(t);
		pthread_join(t, &res);
		printf("%d %d %ld\n", res == PTHREAD_CANCELED, depth(), sum + twice(-1));
	}
	return 0;
}
END
cc -O1 -g -o hook hook.c -lpthread
plain=$(./hook all)

dtrace_run -x uretprobe -qc './hook all' -n 'long wrong, typed, pointers;
	pid$target:a.out:twice:entry { self->n = (long)arg0; entries++; }
	pid$target:a.out:twice:return { returns++; wrong += (long)arg1 != 2 * self->n; typed += args[1] == 2 * self->n; }
	pid$target:a.out:jump:return, pid$target:a.out:outer:return { never++; }
	pid$target:a.out:leave:return { never++; }
	pid$target:libc:malloc:return { pointers += arg1 > 4096; mallocs++; }
	pid$target:a.out:main:return { printf("main %d\n", (int)arg1); }
	END { printf("%d %d %d %d %d %d\n", entries, returns, wrong, typed, never, mallocs > 0 && mallocs == pointers); }'
is "$(grep -v main "$work/out")" "$plain
1007 1007 0 1007 0 1" "results of functions, and the program prints the same"
is "$(grep main "$work/out")" "main 0" "main returns"
is "$(cat "$work/err")" "" "without a message"

# A value that a hook does not know is a fault.
dtrace_run -x uretprobe -qc './hook all' -n 'pid$target:a.out:main:return { trace(arg0); }'
has "$work/err" 'main:return.*illegal operation in action #1' "arg0 is not known"
dtrace_run -x uretprobe -qc './hook all' -n 'pid$target:a.out:main:return { ustack(); }'
has "$work/err" 'main:return.*bad stack.* in action #1' "nor the stack"
dtrace_run -x uretprobe -qc './hook all' -n 'pid$target:a.out:twice:entry /!n++/ { ustack(); }
	pid$target:a.out:main:return { trace("returned"); }'
has "$work/out" '\(not unwound: no tables in hook\)' "a stack above a hook ends with a mark"
has "$work/out" 'returned' "and the hook fires"

# The kernel makes 64 hooks of a thread.
dtrace_run -x uretprobe -qc './hook nest 62' -n 'pid$target:a.out:nest:return { n++; } END { trace(n); }'
is "$(cat "$work/out" "$work/err")" "62
63" "63 nested calls"
dtrace_run -x uretprobe -qc './hook nest 199' -n 'pid$target:a.out:nest:return { n++; } END { trace(n); }'
is "$(cat "$work/out")" "199
64" "of 200 nested calls 64 have hooks"
has "$work/err" '^dtrace: (1 return|2 returns) near 64 nested hooks, the most: returns of deeper calls may be lost' "which is reported"
dtrace_run -qc './hook nest 199' -n 'pid$target:a.out:nest:return { n++; } END { trace(n); }'
is "$(cat "$work/out" "$work/err")" "199
200" "without hooks all return"

# Programs that unwind have no hooks.
cat >thrower.cc <<'END'
#include <cstdio>
__attribute__((noipa)) int inner(int n) { if (n == 7) throw n; return n; }
__attribute__((noipa)) int middle(int n) { return inner(n) + 1; }
int main() {
	int caught = 0, sum = 0;
	for (int i = 0; i < 10; i++)
		try { sum += middle(i); } catch (int n) { caught += n; }
	std::printf("%d %d\n", caught, sum);
}
END
for link in '' -static; do
	g++ -O1 $link -o thrower thrower.cc
	dtrace_run -x uretprobe -qc ./thrower -n 'pid$target:a.out:_Z6middlei:return { n++; at = arg0 > 0; } END { printf("%d %d\n", n, at); }'
	is "$(cat "$work/out" "$work/err")" "7 47
9 1" "exceptions of C++ $link"
done

# The program goes on when tracing ends, whatever ends it.
for signal in INT KILL; do
	./hook loop &
	victim=$!
	own_pids+=($victim)
	wait_for 5 grep -q hook /proc/$victim/comm
	dtrace_start -x uretprobe -qp $victim -n 'pid$target:a.out:twice:return /++n == 5/ { printf("five\n"); }'
	ok "a loop is traced" wait_for 10 grep -q five "$work/out"
	kill -$signal "$dtrace_pid"
	wait "$dtrace_pid" 2>/dev/null
	ok "SIG$signal: no breakpoint is left" wait_for 20 sh -c '! pgrep -x uprobe-keeper --parent 1'
	dtrace_start -qp $victim -n 'pid$target:a.out:twice:entry /++n == 5/ { printf("five\n"); }'
	ok "and the program goes on" wait_for 10 grep -q five "$work/out"
	dtrace_stop
	end_pid $victim
done
done_testing
