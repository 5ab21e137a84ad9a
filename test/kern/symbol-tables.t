#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Names of functions from every table that a program can have, in stacks and as probes.
# guests: none
. "${0%/*}/lib.sh"

compiler_here "tables of symbols" || done_testing
cd "$work" || exit 1

# callers PROGRAM FUNCTION...: compares the innermost functions of the program at its call of write(9).
callers() {
	local program=$1
	shift
	dtrace_run -qn 'syscall::write:entry /pid == $target && arg0 == 9/ { ustack(); }' -c "./$program"
	sed -n "s/^ *$program\`//p" "$work/out" | sed 's/+0x.*//' | head -n $# >frames
	is "$(paste -sd ' ' frames)" "$*" "$text"
}

# The system call without the C library, whose own frames could be between.
cat >call.h <<'END'
#define call(fd) ({ long r_; __asm__ volatile("syscall" : "=a"(r_) : "0"(1L), "D"((long)(fd)), "S"("x"), "d"(1L) : "rcx", "r11", "memory"); r_; })
#define OWN __attribute__((noipa))
END
[ "$(uname -m)" = x86_64 ] || skip_all "the programs of this test are for x86-64"

# ---- .debug_frame

cat >frame.c <<'END'
#include "call.h"
OWN long deep(long x) { volatile char room[200]; room[x] = 1; return call(x) + room[x]; }
OWN long lib_a(long x) { volatile long q[50]; q[3] = x; return deep(x) + q[3]; }
END
cat >main.c <<'END'
#define OWN __attribute__((noipa))
long lib_a(long);
OWN long own(long x) { volatile long q[30]; q[3] = x; return lib_a(x) + q[3]; }
int main(void) { return own(9) > 1000; }
END
whole='deep lib_a own main'
gcc -O2 -o frame -fno-asynchronous-unwind-tables -g frame.c main.c
text="a table in .debug_frame" callers frame $whole
gcc -O2 -o frame -fno-asynchronous-unwind-tables -g -gz frame.c main.c
text="... that is compressed" callers frame $whole
objcopy --only-keep-debug frame frame.debug
strip --keep-symbol=deep --keep-symbol=lib_a --keep-symbol=own --keep-symbol=main frame
objcopy --add-gnu-debuglink=frame.debug frame
text="... in a separate debug file" callers frame $whole
gcc -O2 -c -g -fno-asynchronous-unwind-tables frame.c
gcc -O2 -o frame frame.o main.c
text="... beside .eh_frame of other functions" callers frame $whole

# ---- files without sections

gcc -O2 -rdynamic -o bare frame.c main.c
printf '\0\0\0\0\0\0\0\0' | dd of=bare bs=1 seek=40 conv=notrunc status=none
printf '\0\0\0\0' | dd of=bare bs=1 seek=60 conv=notrunc status=none
text="a file without sections: its tables and its dynamic symbols" callers bare $whole
dtrace_run -qn 'pid$target:a.out:lib_a:entry, pid$target:a.out:lib_a:return { printf("%s ", probename); }' -c ./bare
is "$(grep . "$work/out")" "entry return " "... and probes on them"
gcc -O2 -rdynamic -Wl,--hash-style=sysv -o bare frame.c main.c
printf '\0\0\0\0\0\0\0\0' | dd of=bare bs=1 seek=40 conv=notrunc status=none
printf '\0\0\0\0' | dd of=bare bs=1 seek=60 conv=notrunc status=none
text="... with the older hash table" callers bare $whole

# ---- symbols in .gnu_debugdata

cat >mini.c <<'END'
#include "call.h"
static OWN long hidden(long x) { return call(x) + 1; }
static OWN long hider(long x) { return hidden(x) + x; }
OWN long shown(long x) { return hider(x) + x; }
int main(void) { return shown(9) > 1000; }
END
gcc -O2 -g -rdynamic -o mini mini.c
nm -D mini --format=posix --defined-only | awk '{ print $1 }' | sort >exported
nm mini --format=posix --defined-only | awk '$2 ~ /[Tt]/ { print $1 }' | sort | comm -13 exported - >kept
objcopy --only-keep-debug mini debug
objcopy -S --keep-symbols=kept debug symbols 2>/dev/null
strip mini
if type -P xz >/dev/null; then
	xz symbols && objcopy --add-section .gnu_debugdata=symbols.xz mini
	text="symbols in .gnu_debugdata, and exported ones" callers mini hidden hider shown main
	dtrace_run -qn 'pid$target:a.out:hidden:entry { printf("arg0 %d", arg0); }' -c ./mini
	is "$(grep . "$work/out")" "arg0 9" "... and a probe on a function there"
	head -c 300 symbols.xz >damaged
	objcopy --remove-section .gnu_debugdata mini && objcopy --add-section .gnu_debugdata=damaged mini
	dtrace_run -qn 'syscall::write:entry /pid == $target && arg0 == 9/ { ustack(); }' -c ./mini
	is "$(sed -n 's/^ *mini`//p' "$work/out" | sed 's/+.*//; s/^0x.*/address/' | head -n 4 | paste -sd ' ')" \
		"address address shown main" "a damaged one leaves the exported symbols"
	has "$work/err" 'could not use the debug information of .*mini: its compressed part is damaged' "... with a message"
else
	skip "symbols in .gnu_debugdata" "not installed: xz"
fi

# ---- symbols without a type

cat >asm.S <<'END'
	.text
	.globl first, second
first:
	mov $1, %eax
	mov $9, %edi
	xor %esi, %esi
	mov $1, %edx
	syscall
	ret
second:
	call first
inner:
	nop
	ret
	.globl typed
	.type typed, @function
typed:
	nop
label:	call second
	ret
	.size typed, . - typed
	.section .note.GNU-stack,"",@progbits
END
printf 'int typed(void); int main(void) { return typed() > 0; }' >use.c
gcc -O1 -o untyped use.c asm.S
dtrace_run -qn 'pid$target:a.out:first:entry, pid$target:a.out:second:entry, pid$target:a.out:second:return
	{ printf("%s:%s ", probefunc, probename); }
	syscall::write:entry /pid == $target && arg0 == 9/ { @[ufunc(uregs[R_RIP])] = count(); }
	pid$target:a.out:typed:1 { @[ufunc(uregs[R_RIP])] = count(); }' -c ./untyped
has "$work/out" '^second:entry first:entry ' "probes on functions without a type"
has "$work/out" 'untyped`first  ' "the name of such a function"
has "$work/out" 'untyped`typed  ' "a label in a function is no function"
dtrace_run -ln 'pid$target:a.out::entry' -c ./untyped
has "$work/out" 'first entry' "... in a list of functions"
is "$(grep -cE ' (label|inner) entry' "$work/out")" 0 "... but not its labels"

# ---- the kernel's object in each process

cat >clock.c <<'END'
#include <time.h>
int main(void)
{
	struct timespec t;
	for (int i = 0; i < 5000000; i++)
		clock_gettime(CLOCK_MONOTONIC, &t);
	return 0;
}
END
gcc -O2 -o clock clock.c
printf '#!/bin/sh\n./clock & ./clock; wait\n' >both
chmod +x both
dtrace_run -qn 'profile-997 /pid == $target && arg1/ { @[umod(arg1)] = count(); @f[ufunc(arg1)] = count(); @s[ustack(1)] = count(); }' -c ./clock
has "$work/out" '^ *\[vdso\] +[0-9]' "its module"
has "$work/out" '\[vdso\]`[a-z_]*clock_gettime +[0-9]' "a function in it"
has "$work/out" '^ *\[vdso\]`[a-z_]*clock_gettime\+0x' "... in a stack"
dtrace_run -qx mergestacks -n 'profile-997 /progenyof($target) && arg1/ { @[umod(arg1)] = count(); }' -c ./both
is "$(grep -c 'vdso' "$work/out")" 1 "one row for two processes"

cat >narrow.c <<'END'
/* Calls through the entry of system calls (AT_SYSINFO, 32) of 32-bit processes. */
__asm__(".globl _start\n_start: mov %esp, %eax\n push %eax\n call begin\n");
void begin(unsigned long *stack)
{
	unsigned long *at = stack + stack[0] + 2, r;
	while (*at)
		at++;
	for (at++; *at != 32; at += 2)
		;
	__asm__ volatile("call *%1" : "=a"(r) : "r"(at[1]), "0"(60L), "b"(9L) : "memory");
	__asm__ volatile("int $0x80" : : "a"(1L), "b"(0L));
}
END
if narrow_here "the object of a 32-bit process" && gcc -m32 -O1 -nostdlib -static -fno-pie -no-pie -o narrow narrow.c 2>errors; then
	dtrace_run -qn 'syscall::umask:entry /pid == $target/ { ustack(1); }' -c ./narrow
	has "$work/out" '\[vdso\]`__kernel_vsyscall\+0x' "a function in the object of a 32-bit process"
fi

# ---- a library in a memfd, and a probe on the instruction of a static probe

cat >p.d <<'END'
provider dlp { probe ctor(int); probe fire(int); };
END
"$dtrace" -h -s p.d -o p.h
cat >lib.c <<'END'
#include "p.h"
__attribute__((constructor)) static void c(void) { DLP_CTOR(1); }
int libfn(int x) { DLP_FIRE(x); return x + 1; }
END
cat >load.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>
static char buf[1 << 20];
int main(int argc, char **argv)
{
	int s = open("./lib.so", O_RDONLY), r = 0;
	int fd = argc > 1 ? open(argv[1], O_RDWR | O_CREAT, 0700) : memfd_create("lib", 0);
	char path[64];
	ssize_t n = read(s, buf, sizeof(buf));
	if (write(fd, buf, n) != n)
		return 1;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (argc > 2)
		unlink(argv[1]);
	void *h = dlopen(path, RTLD_NOW);
	int (*f)(int) = dlsym(h, "libfn");
	for (int i = 0; i < 10; i++)
		r += f(i);
	return r == 0;
}
END
gcc -O2 -fPIC -shared -Wl,-z,noseparate-code -o lib.so lib.c
gcc -O1 -o load load.c
for how in '' copy.so 'gone.so deleted'; do
	dtrace_run -Zqn 'dlp$target:::ctor { c++; } dlp$target:::fire { f++; } pid$target:*:libfn:entry, pid$target:*:libfn:return { p++; }
		END { printf("ctor %d fire %d pid %d", c, f, p); }' -c "./load $how"
	is "$(grep . "$work/out")" "ctor 1 fire 10 pid 20" "probes of a library that is loaded from ${how:-a memfd}"
done

done_testing
