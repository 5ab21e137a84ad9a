#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
#
# load_stacks.py FOLDER SEED COUNT: writes COUNT random C programs, and compiles each with a random compiler and random flags.
#
# The programs are FOLDER/prog0 and so on, the commands are in FOLDER/flags.  A program keeps its own list of the functions that
# it is in.  At each stop, leaf() prints the number of the stop and this list, and calls getpriority() with the number.  A function
# t* removes itself before its last call, which compilers can make a jump.
import random
import shutil
import subprocess
import sys

HEAD = """#include <alloca.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#ifdef __clang__
#define APART __attribute__((noinline, used))
#else
#define APART __attribute__((noipa, used))
#endif

typedef int (*step)(int);
static __thread const char *chain[256];
static __thread volatile int depth;
static __thread volatile unsigned int state;
static volatile int stops;
static char text[4096];
int begin(int left);

static unsigned int choice(unsigned int n)
{
	state = state * 1664525 + 1013904223;
	return (state >> 8) % n;
}

#define ENTER(name) (chain[depth] = (name), depth = depth + 1)
#define LEAVE() (depth = depth - 1)

APART int leaf(int left)
{
	int n = __sync_add_and_fetch(&stops, 1), len;

	len = sprintf(text, "%d leaf", n);
	for (int i = depth; i-- > 0;)
		len += sprintf(text + len, " %s", chain[i]);
	text[len++] = '\\n';
	if (write(1, text, len) != len)
		return -1;
	getpriority(PRIO_PROCESS, n);
	__asm__ volatile("" ::: "memory");
	return left + n;
}
"""

TAIL = """
static void APART handler(int sig)
{
	ENTER("handler");
	begin(choice(5));
	LEAVE();
	(void)sig;
}

APART void *thread(void *arg)
{
	state = (unsigned long)arg;
	ENTER("thread");
	for (int i = 0; i < 4; i++)
		begin(choice(12));
	LEAVE();
	return arg;
}

APART int begin(int left)
{
	int value;

	ENTER("begin");
	value = left <= 0 ? leaf(left) : steps[choice(sizeof(steps) / sizeof(steps[0]))](left - 1);
	__asm__ volatile("" ::: "memory");
	LEAVE();
	return value + 1;
}

int main(int argc, char **argv)
{
	pthread_t id;

	state = argc + %d;
	signal(SIGUSR1, handler);
	ENTER("main");
	for (int i = 0; i < 12; i++)
		begin(choice(14));
	for (unsigned long i = 1; i < 4; i++) {
		if (pthread_create(&id, NULL, thread, (void *)(i * 77)) || pthread_join(id, NULL))
			return 2;
	}
	LEAVE();
	return argv[0] == NULL;
}
"""

# Bodies of functions: what is between ENTER and LEAVE.
BODIES = [
    "value = NEXT;",
    "char *p = alloca(16 + choice(300)); memset(p, left, 16); value = NEXT + p[3];",
    "char big[{big}]; memset(big, left, sizeof(big)); value = NEXT + big[choice(sizeof(big))];",
    "int n = 4 + choice(60), v[n]; for (int i = 0; i < n; i++) v[i] = left; value = NEXT + v[n - 1];",
    "double d = left * 1.5; long a = left ^ 5, b = left * 3, c = a - b, e = a * c; value = NEXT; "
    "value += (int)(d + a * b + c + e + a);",
    "for (unsigned int i = 0; i < 1 + choice(2); i++) value += i == 0 ? NEXT : 1;",
    "struct {{ __attribute__((aligned(64))) char c[64]; }} s; memset(&s, left, sizeof(s)); value = NEXT + s.c[choice(64)];",
    "raise(SIGUSR1); value = NEXT;",
    "switch (choice(6)) {{ case 0: value = 3 + NEXT; break; case 1: value = NEXT; break; case 2: value = 7 * NEXT; break; "
    "default: value = NEXT - 1; }}",
    "value = seven(left, 2, 3, 4, 5, 6, choice(9), 8, 9);",
]


def source(rng):
    n = rng.randrange(6, 14)
    names = [("t" if rng.random() < 0.2 else "f") + str(i) for i in range(n)]
    out = [HEAD]
    out += [f"int {name}(int left);" for name in names]
    out.append("static const volatile step steps[] = {" + ", ".join(names) + "};")
    next_call = f"(left <= 0 ? leaf(left) : steps[choice({n})](left - 1))"
    out.append("APART int seven(int left, int b, int c, int d, int e, int f, int g, int h, int i)\n{\n\tint value;\n\n"
               f'\tENTER("seven");\n\tvalue = {next_call} + b * c + d + e + f + g + h + i;\n\tLEAVE();\n\treturn value;\n}}\n')
    for name in names:
        body = rng.choice(BODIES).format(big=rng.choice([64, 200, 5000, 9000]))
        if name[0] == "t":
            out.append(f"APART int {name}(int left)\n{{\n\tstate = state + 1;\n\treturn begin(left - 1);\n}}\n")
            continue
        body = body.replace("NEXT", next_call)
        out.append(f'APART int {name}(int left)\n{{\n\tint value = 0;\n\n\tENTER("{name}");\n\t{body}\n'
                   '\t__asm__ volatile("" ::: "memory");\n\tLEAVE();\n\treturn value + 1;\n}\n')
    return "\n".join(out) + TAIL % rng.randrange(1 << 30)


def flags(rng, compiler):
    chosen = [rng.choice(["-O0", "-O1", "-O2", "-O3", "-Os"]),
              rng.choice(["-fomit-frame-pointer", "-fno-omit-frame-pointer", "-fomit-frame-pointer"]),
              rng.choice(["-pie -fPIE", "-no-pie -fno-pie", "-static", "-pie -fPIE"]),
              rng.choice(["", "", "-g", "-g -gz"]),
              rng.choice(["", "-fcf-protection=full", "-fcf-protection=none"]),
              rng.choice(["", "-fstack-protector-all", "-fno-plt", "-fstack-clash-protection"]),
              rng.choice(["", "-ffunction-sections", "-mno-red-zone", "-march=x86-64-v2"])]
    if compiler == "gcc" and rng.random() < 0.25:
        chosen.append("-flto")
    if rng.random() < 0.25:
        # Something must describe the frames.
        chosen.append("-fno-asynchronous-unwind-tables -fno-unwind-tables " +
                      rng.choice(["-g", "-fno-omit-frame-pointer"]))
    return " ".join(chosen).split()


def main():
    folder, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    rng = random.Random(seed)
    compilers = [c for c in ("gcc", "clang") if shutil.which(c)]
    with open(folder + "/flags", "w") as log:
        for i in range(count):
            with open(f"{folder}/prog{i}.c", "w") as f:
                f.write(source(rng))
            compiler = rng.choice(compilers)
            command = [compiler, "-w", "-pthread", *flags(rng, compiler), "-o", f"{folder}/prog{i}", f"{folder}/prog{i}.c"]
            subprocess.run(command, check=True)
            print(*command[:-3], file=log)


main()
