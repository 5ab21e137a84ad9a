#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Stacks of programs without frame pointers, compared with libgcc's unwinder in the program itself.
# rows: -xunwindsize
# guests: 6.1
. "${0%/*}/lib.sh"

[ "$(uname -m)" = x86_64 ] || skip_all "unwind tables are read for x86-64 only"
cd "$work" || exit 1
program=$top/build/test-unwind

# stacks: prints dtrace's stacks from the caller of probe() on, without probe's own frame and umask(2).  Each line
# has a stack and the number of its shape.
stacks() {
	awk '/^@/ { if (line) print line; line = substr($1, 2); n = 0; next }
	NF && ++n > 2 { line = line " " $1 }
	END { print line }' "$work/out" | sort
}

# compare TEXT PROGRAM ARG...
compare() {
	local text=$1
	shift
	dtrace_run -qx noresolve -x strsize=64 -n 'syscall::umask:entry /progenyof($target)/ { printf("@%d\n", arg0); ustack(60); }' \
		-c "$*"
	grep -E '^[0-9]+ [^ ]*:0x' "$work/out" | sed 's/ *$//' | sort >want
	grep -vE '^[0-9]+ [^ ]*:0x' "$work/out" >traced
	mv traced "$work/out"
	stacks >got
	ok "$text" cmp -s want got || note "$(diff want got | cut -c 1-400 | head -n 10)"
	between "$(wc -l <want)" "${shapes:-61}" 70 "$text: stacks"
}

for kind in '' -debug -whole -small -frames -landing; do
	compare "program$kind" "$program$kind" "$program.so"
done
shapes=9 compare "program-static" "$program-static"

# ---- threads without memory of a process, such as those of the kernel

dtrace_run -qn 'sched:::off-cpu /!curthread->mm && pid/ { printf("depth %d", ustackdepth); ustack(); @[ustack()] = count(); exit(0); }'
is "$(grep . "$work/out" | tr -s ' ' | paste -sd ' ' | tr -s ' ')" "depth 0 1" "no frame, and no mark"

# ---- code without unwind information

dtrace_run -qn 'syscall::umask:entry /pid == $target && arg0 == 0/ { ustack(); printf("%d\n", ustackdepth); }' -c "$program-blind"
is "$(sed 's/^ *//; s/+.*//' "$work/out" | grep . | tail -n 4 | paste -sd ' ')" 'test-unwind-blind`inner test-unwind-blind`blind (not unwound: no tables in test-unwind-blind) 4' "the end is marked"
dtrace_run -qn 'syscall::umask:entry /pid == $target && arg0 == 0/ { @[ustack()] = count(); }' --folded folded -c "$program-blind"
is "$(cut -d ';' -f 1 folded)" "(not unwound: no tables in test-unwind-blind)" "... in a file for flame graphs, too"
if compiler_here "a system call in code without tables"; then
	gcc -O1 -fno-asynchronous-unwind-tables -fno-unwind-tables -o bare -x c - <<-'END'
		int main(void)
		{
			asm volatile("push %%rbp; mov $1, %%ebp; xor %%edi, %%edi; mov $95, %%eax; syscall; pop %%rbp"
				     ::: "rax", "rdi", "rcx", "r11", "memory");
			return 0;
		}
	END
	dtrace_run -qn 'syscall::umask:entry /pid == $target && !n++/ { printf("%x", ucaller); usym(ucaller); ustack(); }' -c ./bare
	is "$(sed 's/+.*//' "$work/out" | xargs)" 'ffffffffffffffff (not unwound) bare`main (not unwound: no tables in bare)' "ucaller shows no reason"
fi
# An address outside code is no caller.
dtrace_run -qn 'syscall::umask:entry /pid == $target && arg0 == 4/ { ustack(); @[ustack()] = count(); } END { printa("key%k%@d\n", @); }' \
	-c "$program-blind"
shown='libc.so.6`umask test-unwind-blind`guessed test-unwind-blind`guess (not unwound: no tables in test-unwind-blind)'
is "$(sed 's/^ *//; s/+.*//' "$work/out" | grep . | paste -sd ' ')" "$shown $shown key $shown 2" \
	"a wrong caller is not shown, in records and in a key"
dtrace_run -qn 'syscall::umask:entry /pid == $target && arg0 == 2/ { ustack(); printf("%d\n", ustackdepth); }' -c "$program-blind"
is "$(sed 's/^ *//; s/.*`//; s/+.*//' "$work/out" | grep . | sed 3d | paste -sd ' ')" 'umask coroutine 3' "a coroutine has no caller"
dtrace_run -qn 'syscall::umask:entry /pid == $target && arg0 == 1/ { ustack(4); }' -c "$program-blind"
is "$(sed -n 's/^ *.*`//; s/+.*//p' "$work/out" | tail -n 3 | paste -sd ' ')" "last always main" \
	"callers have the name of where the call is"

dtrace_run -qx unwindsize=0 -n 'syscall::umask:entry /pid == $target/ { @[ustackdepth] = count(); }' -c "$program"
is "$(awk '$1 > 20' "$work/out")" "" "-x unwindsize=0 follows frame pointers"
dtrace_run -qx unwindsize=20k -n 'syscall::umask:entry /pid == $target/ { @[ustackdepth] = count(); }' -c "$program"
has "$work/err" 'no room for the unwind tables of /.*unwindsize' "a message says that the size is too small"

if [ -z "${GUEST:-}" ] && ! type -P python3 >/dev/null; then
	skip "more code than fits" "not installed: python3"
elif fast_here "more code than fits"; then
	cat >many.py <<-'END'
		import mmap, os, sys
		file = os.open(sys.executable, os.O_RDONLY)
		kept = [mmap.mmap(file, 4096, mmap.MAP_PRIVATE, mmap.PROT_READ | mmap.PROT_EXEC) for i in range(600)]
		os.umask(0)
	END
	dtrace_run -qn 'syscall::umask:entry /pid == $target/ { ustack(); }' -c "python3 many.py"
	has "$work/err" 'python3.* has code in more than [0-9]* places' "a message says that the code does not fit"
fi

# ---- programs that have just been executed: a stack is complete, or says that it is not

if compiler_here "programs that were just executed"; then
	cat >short.c <<-'END'
		#include <unistd.h>
		#include <sys/syscall.h>
		#include <sys/wait.h>
		/* The frame pointer points to two zeros: a chain that ends at once. */
		__asm__("ends: .cfi_startproc\n push %rbp\n .cfi_adjust_cfa_offset 8\n .cfi_offset rbp, -16\n"
			"push $0\n .cfi_adjust_cfa_offset 8\n push $0\n .cfi_adjust_cfa_offset 8\n mov %rsp, %rbp\n"
			"mov $110, %eax\n syscall\n add $16, %rsp\n .cfi_adjust_cfa_offset -16\n"
			"pop %rbp\n .cfi_adjust_cfa_offset -8\n ret\n .cfi_endproc\n");
		void ends(void);
		int main(int argc, char **argv)
		{
			ends();
			for (int i = 0; i < 5; i++)
				syscall(SYS_getppid);
			if (argc > 1 && fork() == 0)
				return syscall(SYS_getppid) < 0;
			return wait(0) > 0 && argc == 1;
		}
	END
	for flags in -pie "-no-pie -static"; do
		# shellcheck disable=SC2086
		gcc -O1 $flags -o short short.c
		printf '#!/bin/sh\nfor i in 1 2 3 4 5 6 7 8 9 10 11 12; do ./short; (exec ./short fork); done\n' >shorts
		chmod +x shorts
		dtrace_run -qn 'syscall::getppid:entry /execname == "short" && progenyof($target)/ {
			printf("@%d\n", ++n); ustack(4); printf("caller %A\n", ufunc(ucaller)); @ = count(); } END { printa("all %@d\n", @); }' -c ./shorts
		has "$work/out" '^all 156$' "$flags: stacks of programs that were just executed"
		is "$(awk '/^@/ { if (row && row !~ /main|not unwound/) print row; row = ""; next }
			/^caller/ { if ($0 !~ /main|not unwound/) print; next } NF { row = row " " $1 " " $2 }' "$work/out" | sort -u)" "" \
			"$flags: ... have main or end with a mark"
	done
fi

# ---- in predicates, and as numbers

dtrace_run -qx maxframes=400 -n 'syscall::umask:entry /pid == $target && arg0 == 3/ { ustack(400); printf("depth %d\n", ustackdepth); }' \
	-c "$program-blind"
is "$(grep -c '`deep' "$work/out")" 300 "-x maxframes: a deep stack"
is "$(sed -n 's/^depth //p' "$work/out")" "$(grep -c '`' "$work/out")" "ustackdepth counts what ustack() shows"

depth=$(sed -n 's/^depth //p' "$work/out")
dtrace_run -qx maxframes=400 -n 'syscall::umask:entry /pid == $target && arg0 == 3/ { @[ustack(3)] = max(ustackdepth - 3); }' -c "$program-blind"
is "$(awk '/^ *[0-9]+$/ { print $1 }' "$work/out")" $((depth - 3)) "callers that a cut stack lacks"

dtrace_run -qn 'syscall::umask:entry /pid == $target && ustackdepth > 20/ { @[arg0] = count(); }' -c "$program"
is "$(awk 'NF == 2 { print $1, $2 }' "$work/out")" "1 1" "ustackdepth in a predicate"

done_testing
