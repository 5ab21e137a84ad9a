#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# pid-nop.t: probes of a function that begins with a nop of five bytes, which some kernels replace by a call.  Children of
# the traced process live, during and after tracing, and each call fires once.
#
# guests: none
. "${0%/*}/lib.sh"

compiler_here "a nop of five bytes" || done_testing
[ "$(uname -m)" = x86_64 ] || done_testing

cat >"$work/nop.c" <<'END'
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#define NOP ".byte 0x0f, 0x1f, 0x44, 0x00, 0x00\n\t"
__attribute__((naked, noinline, used)) void plain(void) { __asm__ volatile(NOP "ret"); }
__attribute__((naked, noinline, used)) void frame(void) { __asm__ volatile(NOP "push %rbp; mov %rsp, %rbp; pop %rbp; ret"); }
/* A loop leads behind the nop. */
__attribute__((naked, noinline, used)) void loop(int n) { __asm__ volatile(NOP "1: dec %edi; jnz 1b; ret"); }
static void all(void) { plain(); frame(); loop(3); }
static int child(void *arg) { all(); _exit(7); }
static void on_signal(int sig) { all(); }
static int ended(int pid) { int st = 0; waitpid(pid, &st, 0); return WIFEXITED(st) && WEXITSTATUS(st) == 7; }
int main(int argc, char **argv)
{
	static char stack[65536];
	int pid, good = 0;

	signal(SIGUSR1, on_signal);
	for (int i = 0; i < 20; i++)
		all();
	raise(SIGUSR1);
	if ((pid = fork()) == 0)
		child(NULL);
	good += ended(pid);
	if ((pid = vfork()) == 0)
		_exit(7);
	good += ended(pid);
	pid = clone(child, stack + sizeof(stack), SIGCHLD, NULL);
	good += ended(pid);
	if ((pid = fork()) == 0) {
		setenv("AGAIN", "1", 1);
		execl(argv[0], argv[0], (char *)NULL);
	}
	if (getenv("AGAIN"))
		return good == 3 ? 7 : 1;
	good += ended(pid);
	if (argc > 1) { /* until tracing has ended */
		printf("ready\n");
		fflush(stdout);
		getchar();
		if ((pid = fork()) == 0)
			child(NULL);
		good += ended(pid);
	}
	printf("good %d\n", good);
	return 0;
}
END
gcc -O1 -o "$work/nop" "$work/nop.c" || exit 1

dtrace_run -qn 'pid$target:a.out:plain:entry,pid$target:a.out:frame:entry { @[probefunc] = count(); }
	pid$target:a.out:frame:return { @r = count(); } END { printa("%s %@d\n", @); printa("return %@d\n", @r); }' -c "$work/nop"
is "$(grep good "$work/out")" "good 4" "children live"
has "$work/out" '^plain 21$' "each call fires once"
has "$work/out" '^frame 21$' "... of a function with a frame, too"
has "$work/out" '^return 21$' "... and each return"
dtrace_run -Zqn 'pid$target:a.out::entry { @[probefunc] = count(); } pid$target:a.out:loop:entry { n++; }
	END { printf("loops %d\n", n); }' -c "$work/nop"
if [ $status = 0 ]; then
	has "$work/out" '^loops 21$' "a loop to the first instruction fires once"
else
	has "$work/err" "failed to create probe entry in loop" "a loop that leads behind the nop is refused"
fi
dtrace_run -qn 'pid$target:a.out::entry,pid$target:a.out::return { @ = count(); }' -c "$work/nop" -x uretprobe
is "$(grep -c 'good 4' "$work/out")" 1 "children live with option uretprobe"

# Two tracers, and a process that outlives them.
mkfifo "$work/go"
"$work/nop" wait <"$work/go" >"$work/said" &
nop=$!
own_pids+=($nop)
exec 8>"$work/go"
wait_for 20 grep -q ready "$work/said"
for i in 1 2; do
	"$dtrace" -qn 'pid$target:a.out:plain:entry { } tick-100ms { exit(0); }' -p $nop &
	tracers[i]=$!
done
wait "${tracers[@]}"
echo >&8
wait $nop
has "$work/said" '^good 5$' "a child that is born after two tracers have ended"

done_testing
