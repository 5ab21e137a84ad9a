#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# pid-errors.t: errors in descriptions of process functions, by tag.
# rows: D_PROC_ALIGN D_PROC_BADPID D_PROC_BADPROV D_PROC_CREATEFAIL D_PROC_DYN D_PROC_FUNC
# rows: D_PROC_GRAB D_PROC_LIB D_PROC_NAME D_PROC_NODEV D_PROC_OFF
# guests: none
# needs: gcc nm
. "${0%/*}/lib.sh"

program=$top/build/test-pid-debug

# bad TAG DESCRIPTION: checks a script, with the program as $target.
bad() {
	echo "$2 { }" >"$work/bad.d"
	dtrace_run -x errtags -s "$work/bad.d" -c "$program calls 1"
	ok "$1: $2" grep -q "bad\.d: \[$1\] line 1: " "$work/err" || note_file messages "$work/err"
	is $status 1 "its status"
}

bad D_PROC_BADPID 'pid0:::entry'
bad D_PROC_BADPID 'pid99999999999999999999:::entry'
bad D_PROC_BADPID 'pid0x10:::entry'
bad D_PROC_BADPROV '$target:::entry'
bad D_PROC_GRAB 'pid4194304:::entry'
bad D_PROC_GRAB 'pid2:::entry'
bad D_PROC_GRAB 'nosuch4194304:::probe'
bad D_PROC_DYN 'pid$pid:::entry'
bad D_PROC_FUNC 'pid$target:a.out:nosuch:entry'
bad D_PROC_FUNC 'pid$target:test-pid-debug:nosuch:return'
bad D_PROC_NAME 'pid$target:a.out:leaf:nosuch'
bad D_PROC_NAME 'pid$target:a.out:leaf:-4'
bad D_PROC_NAME 'pid$target:a.out:-:entry'
bad D_PROC_NAME 'pid$target:a.out:-:*'
bad D_PROC_NAME 'pid$target:a.out:-:'
bad D_PROC_OFF 'pid$target:a.out:leaf:400'
size=$(nm -S "$program" | awk '$4 == "leaf" { print $2 }')
bad D_PROC_OFF "pid\$target:a.out:leaf:$(printf %x "0x$size")"
bad D_PROC_ALIGN 'pid$target:a.out:leaf:2'
bad D_PROC_LIB 'pid$target:libc.so.6:-:400'
bad D_PROC_LIB 'pid$target:LM1`libc.so.6:malloc:entry'
bad D_PROC_CREATEFAIL 'pid$target:a.out:-:4'
bad D_PDESC_ZERO 'pid$target:nosuch.so:malloc:entry'
bad D_PDESC_ZERO 'pid$target:lib:malloc:entry'
bad D_PDESC_ZERO 'pid$target::nosuch:entry'
bad D_PDESC_ZERO 'pid$target:a.out:nosuch*:entry'
bad D_PDESC_ZERO 'pid$target:a.out:_start:return'
bad D_PDESC_ZERO 'pid:::entry'
bad D_PDESC_ZERO 'nosuch$target:::probe'
bad D_PDESC_INVAL 'pid$nosuch:::entry'
bad D_ARGS_IDX 'pid$target:a.out:leaf:entry /args[1]/'
bad D_ARGS_MULTI 'pid$target:a.out:leaf:entry,pid$target:a.out:[e-l]*:entry /args[0]/'

# Only some of the functions that a pattern matches have the offset.  -Z accepts probes that do not exist yet.
dtrace_run -ln 'pid$target:a.out:*:4' -c "$program calls 1"
is $status 0 "an offset in the functions that have it"
positive "$(grep -c ' 4$' "$work/out")" "which are listed"
dtrace_run -Zqn 'pid$target:nosuch.so::entry, BEGIN { exit(0); }' -c "$program calls 1"
is $status 0 "-Z: a library that may come later"

# More probes than the limit.
dtrace_run -x errtags -n 'pid$target:::,pid$1:::' -c "$(type -P bash) -c :" $$
has "$work/err" '\[D_PROC_CREATEFAIL\] failed to create probes of process [0-9]+: more than 250000' \
	"too many probes"

# An instruction that takes no breakpoint, as part of a function and by itself.
cat >"$work/locked.c" <<'END'
__attribute__((noipa)) void locked(int *x)
{
	__atomic_fetch_add(x, 1, __ATOMIC_SEQ_CST);
}

int main(void)
{
	int x = 0;

	locked(&x);
	return x;
}
END
gcc -O2 -fcf-protection=none -o "$work/locked" "$work/locked.c"
dtrace_run -qn 'pid$target:a.out:locked: { @[probename] = count(); } END { printa("%s %@d\n", @); }' \
	-c "$work/locked"
is "$(value return)" 1 "the instructions of a function without those that take no breakpoint"
is "$(value 0)" 0 "which are left out"
dtrace_run -x errtags -n 'pid$target:a.out:locked:0' -c "$work/locked"
has "$work/err" '\[D_PROC_CREATEFAIL\] .*breakpoint' "one of them by itself"
dtrace_run -n 'pid$target:a.out:locked:entry' -c "$work/locked"
has "$work/err" "failed to create probe entry in locked: the kernel cannot put a breakpoint" \
	"the first of a function"
dtrace_run -qn 'pid$target:a.out::entry { @[probefunc] = count(); } END { printa("%s %@d\n", @); }' \
	-c "$work/locked"
is "$(value main) $(value locked)" "1 0" "among others it is left out"

# The kernel would take vpor with only 1 bits for a jump, and not execute it.  The program prints the result.
cat >"$work/mistaken.c" <<'END'
#include <stdio.h>
__attribute__((naked, noinline)) static int joined(int a)
{
	__asm__("vpcmpeqd %xmm0, %xmm0, %xmm0\n vmovd %edi, %xmm1\n vpor %xmm1, %xmm0, %xmm1\n vmovd %xmm1, %eax\n ret");
}
int main(void)
{
	printf("result %d\n", joined(5));
	return 0;
}
END
gcc -O2 -fcf-protection=none -o "$work/mistaken" "$work/mistaken.c"
if grep -qw avx /proc/cpuinfo; then
	dtrace_run -qn 'pid$target:a.out:joined: { @ = count(); }' -c "$work/mistaken"
	has "$work/out" '^result -1$' "a function with vector instructions is as it was"
	dtrace_run -n 'pid$target:a.out:joined:8' -c "$work/mistaken"
	has "$work/err" 'the kernel cannot put a breakpoint' "one that the kernel mistakes for a jump is refused"
else
	skip "vector instructions" "the processor has none of them"
fi

# A kernel without uprobes.
unshare -m bash -c 'mount -t tmpfs none /sys/bus/event_source/devices && exec "$@"' - "$dtrace" \
	-x errtags -n 'pid$target:a.out:leaf:entry' -c "$program calls 1" >"$work/out" 2>"$work/err" </dev/null
has "$work/err" '\[D_PROC_NODEV\] cannot trace process [0-9]+: this kernel has no uprobes' \
	"no uprobes: the message"

done_testing
