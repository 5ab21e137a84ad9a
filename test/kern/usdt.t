#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# usdt.t: static probes of test programs (usdt.c, usdt.d), which fire a known number of times with known arguments.
# There is every kind of file, one process and all processes of a file, and processes that start later.
#
# guests: 6.1
. "${0%/*}/lib.sh"

program=$top/build/test-usdt
n=20

# wanted: prints the eight numbers of every firing.
wanted() {
	local i
	for ((i = 0; i < n; i++)); do
		echo "$((200 + i)) $((-100 - i)) $((60000 + i)) $((-30000 - i)) $((4000000000 + i))" \
			"$((-2000000000 - i)) $(printf %u $((0xffffffff00000000 + i))) $((-0x8000000000000000 + i))"
	done
}

for kind in '' -calls -debug -static -stripped; do
	dtrace_run -qn 'testprov$target:::numbers { printf("%d %d %d %d %d %d %u %d\n", args[0], args[1], args[2],
			args[3], args[4], args[5], args[6], args[7]); }' -c "$program$kind calls $n"
	is "$(grep -v '^enabled\|^$' "$work/out")" "$(wanted)" "test-usdt$kind: numbers of all sizes"
	has "$work/out" "^enabled $n\$" "test-usdt$kind: the program sees that the probe is enabled"
	dtrace_run -qn 'testprov$target:::text-done { @text[copyinstr(arg1)] = sum(arg0); }
		testprov$target:::asked { @size = sum(*(int *)copyin(arg0, 4)); }
		testprov$target:::many { @many[arg1, arg2, args[10], args[11]] = sum(arg0); }
		testprov$target:::twice { @twice = sum(arg0); @places = count(); }
		testprov$target:::idle { @idle = count(); @none = sum(arg0 + arg9); }
		END { printa("text %s %@d\n", @text); printa("size %@d\n", @size);
			printa("many %d %d %d %d %@d\n", @many); printa("twice %@d\n", @twice);
			printa("places %@d\n", @places); printa("idle %@d\n", @idle); printa("none %@d\n", @none); }' \
		-c "$program$kind calls $n"
	sum=$((n * (n - 1) / 2))
	is "$(grep '^text' "$work/out" | sort)" "text even $((sum - n * n / 4))"$'\n'"text odd $((n * n / 4))" \
		"test-usdt$kind: texts"
	has "$work/out" "^size $((sum * 2))\$" "test-usdt$kind: what a pointer points to"
	has "$work/out" "^many 1 2 10 -11 $sum\$" "test-usdt$kind: twelve arguments"
	has "$work/out" "^twice $((n + sum + 2 * n))\$" "test-usdt$kind: a probe at two places, arguments of each"
	has "$work/out" "^places $((2 * n))\$" "test-usdt$kind: firings at two places"
	has "$work/out" "^idle $n\$" "test-usdt$kind: a probe without arguments"
	has "$work/out" "^none 0\$" "test-usdt$kind: arguments that a probe does not have are 0"
	has "$work/out" '^enabled 0$' "test-usdt$kind: a probe that nobody traces is not enabled"
done

dtrace_run -qn 'testprov$target:::idle { @[probeprov, probemod, probefunc, probename] = count(); }' \
	-c "$program calls 1"
has "$work/out" '^ +testprov[0-9]+ +test-usdt +fire +idle +1$' "names of a probe"

# ---- types from a declaration

cat >"$work/types.d" <<'END'
typedef struct request { int size; } request_t;
typedef struct { int bytes; } reqinfo_t;
translator reqinfo_t < request_t *R > { bytes = ((request_t *)copyin((uintptr_t)R, sizeof (request_t)))->size; };
#pragma D attributes Evolving/Evolving/ISA provider testprov args
provider testprov {
	probe asked(request_t *r) : (reqinfo_t *r);
	probe text__done(int n, char *text) : (char *text, int n);
};
testprov$target:::asked { @size = sum(args[0]->bytes); }
testprov$target:::text-done { @text[copyinstr((uintptr_t)args[0])] = sum(args[1]); }
END { printa("size %@d\n", @size); printa("text %s %@d\n", @text); }
END
dtrace_run -qs "$work/types.d" -c "$program calls $n"
has "$work/out" "^size $((n * (n - 1)))\$" "a translated argument"
has "$work/out" "^text odd $((n * n / 4))\$" "arguments in another order"

# ---- running processes

mkfifo "$work/in"
"$program" wait 5 <"$work/in" >"$work/said" &
first=$!
own_pids+=($first)
exec 7>"$work/in"
dtrace_start -qn 'testprov'$first':::idle { @ = count(); } END { printa("idle %@d\n", @); }'
echo >&7
"$program" calls 3 >/dev/null
sleep 0.2
dtrace_stop
has "$work/out" '^idle 5$' "a running process, and no other of its binary"

dtrace_run -ln 'testprov*:::text-done'
has "$work/out" "^ *[0-9]+ testprov$first +test-usdt +fire text-done\$" "a listing tells each process"

dtrace_start -qn 'testprov*:::idle /progenyof('$$')/ { @[pid == '$first'] = count(); }
	END { printa("idle %d %@d\n", @); }'
echo >&7
"$program" calls 3 >/dev/null
"$program" fork 4 2 >/dev/null
sleep 0.2
dtrace_stop
has "$work/out" '^idle 1 5$' "all of a binary: the one that runs"
has "$work/out" '^idle 0 11$' "all of a binary: those that begin later, and their children"

exec 7>&-
wait "$first"
has "$work/said" '^enabled 0$' "a process sees that nobody traces its probes"

# ---- a nop that some kernels turn into a call, which overwrites variables of the function

if compiler_here "a nop of five bytes"; then
	sed 's/790: nop/790: .byte 0x0f, 0x1f, 0x44, 0x00, 0x00/' "$top/build/usdt/usdt.h" >"$work/usdt.h"
	gcc -O0 -I "$work" -o "$work/wide" "$top/test/kern/usdt.c"
	dtrace_run -x errtags -qn 'testprov$target:::idle { @ = count(); } END { printa("idle %@d\n", @); }' -c "$work/wide calls 5"
	if grep -q D_PROC_USDT "$work/err"; then
		has "$work/err" 'failed to create probe idle of process' "a place within a function: message"
	else
		has "$work/out" '^idle 5$' "a place within a function"
	fi
fi

# ---- 32 bits, without a library: by the macros, and by calls

if [ "$(uname -m)" = x86_64 ] && compiler_here "programs of 32 bits" && narrow_here "programs of 32 bits"; then
	cd "$work" || exit 1
	echo 'provider narrow { probe one(int a, unsigned b); };' >narrow.d
	cat >narrow.c <<'END'
#ifdef CALLS
extern void __dtrace_narrow___one(int, unsigned);
extern int __dtraceenabled_narrow___one(void);
#define NARROW_ONE __dtrace_narrow___one
#define NARROW_ONE_ENABLED __dtraceenabled_narrow___one
#else
#include "narrow.h"
#endif
__attribute__((used)) void _start(void)
{
	long r;

	for (int i = 0; i < 5; i++)
		NARROW_ONE(-i, 4000000000U + i);
	__asm__ volatile("int $0x80" : "=a"(r) : "a"(1), "b"(NARROW_ONE_ENABLED()) : "memory");
}
END
	dtrace_run -h -s narrow.d
	for how in macros calls; do
		gcc -m32 -O1 -fno-pic -fno-stack-protector -D_UNISTD_H -D_INTTYPES_H -D${how^^} -c narrow.c
		dtrace_run -G -s narrow.d -o probes.o narrow.o
		gcc -m32 -nostdlib -static -no-pie -o narrow narrow.o probes.o
		dtrace_run -xevaltime=exec -n 'narrow$target:::one { @a = sum(args[0]); @b = sum(args[1]); }
			END { printa("%@d ", @a); printa("%@u\n", @b); }' -c ./narrow
		has "$work/out" ':END -10 20000000010$' "32 bits, $how: arguments"
		has "$work/err" 'exited with status 1' "32 bits, $how: the program sees that the probe is enabled"
	done
	cd "$top" || exit 1
fi

# ---- files mapped during tracing

# The file can be unmapped again before the breakpoints are set.
for how in load memory again again again again; do
	dtrace_run -Zqn 'testlib$target:::loaded { @[probefunc] = sum(arg0); @n = count(); @ours[probename] = count(); }
		testprov$target:::idle { @ours[probename] = count(); }
		END { printa("%s %@d\n", @); printa("firings %@d\n", @n); printa("%s %@d\n", @ours); }' \
		-c "$program $how $program-lib.so 100"
	is "$(value firings) $(value fire_loaded)" "100 4950" "$how: a library that is loaded later"
done

# Loaded by a thread that exists before tracing begins.
mkfifo "$work/line"
"$program" thread "$program-lib.so" $n <"$work/line" &
first=$!
own_pids+=($first)
exec 7>"$work/line"
has_thread() { [ "$(find "/proc/$first/task" -mindepth 1 -maxdepth 1 | wc -l)" = 2 ]; }
wait_for 20 has_thread
dtrace_start -Zqn 'testlib'$first':::loaded { @ = count(); } END { printa("loaded %@d\n", @); }'
echo >&7
exec 7>&-
wait "$first"
dtrace_stop
has "$work/out" "^loaded $n\$" "a library that another thread loads"
dtrace_run -Zqn 'testlib$target:::loaded { @n = count(); } pid$target:test-usdt-lib.so:add:entry { @add = sum(arg0); }
	pid$target:test-usdt-lib.so:add:return { @sum = sum(arg1); }
	END { printa("firings %@d\n", @n); printa("add %@d\n", @add); printa("sum %@d\n", @sum); }' \
	-c "$program load $program-lib.so 100"
is "$(value firings) $(value add) $(value sum)" "100 4950 5050" "functions of a library that is loaded later"

# No process runs this file yet.
cp "$program" "$work/fresh"
dtrace_start -Zqn 'testprov*:fresh::idle /progenyof('$$')/ { @ = count(); } END { printa("idle %@d\n", @); }'
"$work/fresh" wait 7 < <(sleep 1; echo; echo) >"$work/said"
"$work/fresh" calls 3 >/dev/null
sleep 0.2
dtrace_stop
has "$work/out" '^idle 17$' "a program that is run for the first time"

# ---- errors

dtrace_run -n 'testprov$target:::nonesuch' -c "$program calls 1"
is $status 1 "a name that no probe has: status 1"
has "$work/err" 'does not match any probes' "a name that no probe has: message"
dtrace_run -x errtags -n 'testprov99999999999:::idle'
has "$work/err" '\[D_PROC_BADPID\]' "a process that cannot be"
dtrace_run -x errtags -n 'testprov1234567:::idle'
has "$work/err" '\[D_PROC_GRAB\]' "a process that is not there"

done_testing
