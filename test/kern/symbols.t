#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# symbols.t: symbols of the kernel: variables by BTF or declaration, and per-CPU variables.
# rows: jiffy_ns
#
# guests: 6.12
. "${0%/*}/lib.sh"

dtrace_run -qn 'BEGIN { trace(`vfs_raed); }'
has "$work/err" 'failed to resolve `vfs_raed: no such symbol; did you mean vfs_read\?$' "the nearest name"
# Functions of the kernel itself and of modules, with unique names.
awk '$2 ~ /^[tT]$/ && $3 ~ /^[a-z][a-z0-9_]*$/ && length($3) < 64 && $4 !~ /bpf|builtin/ { n[$3]++; at[$3] = $1; kind[$3] = $4 != "" }
	END { for (f in n) if (n[f] == 1 && ++some[kind[f]] <= 20) print f, at[f] }' /proc/kallsyms >"$work/functions"
positive "$(wc -l <"$work/functions")" "functions to look for"
dtrace_run -qn "BEGIN { $(awk '{ printf "printf(\"%s %%016x\\n\", (long)&`%s); ", $1, $1 }' "$work/functions") exit(0); }"
is "$(grep . "$work/out")" "$(cat "$work/functions")" "addresses of functions are as in /proc/kallsyms"

if ! grep -q ' jiffies$' /proc/kallsyms; then
	dtrace_run -qn 'BEGIN { trace(`jiffies); }'
	has "$work/err" 'no such symbol; this kernel shows symbols of functions only$' "variables of a kernel that shows none"
	done_testing
fi

dtrace_run -qn 'extern const char linux_banner[14]; extern int nr_cpu_ids; extern struct task_struct init_task;
	BEGIN { printf("%s|%d|%s\n", stringof(`linux_banner), vmlinux`nr_cpu_ids, stringof(init_task.comm)); exit(0); }'
has "$work/out" '^Linux version *\|[0-9]+\|swapper/0$' "declared symbols"

dtrace_run -qn 'BEGIN { j = `jiffies; t = timestamp; }
	tick-2s { printf("%d\n", (`jiffies - j) * jiffy_ns * 100 / (timestamp - t)); exit(0); }'
between "$(grep . "$work/out")" 90 110 "percent of the time that jiffies has counted"

dtrace_run -qn 'profile-97 { @[`runqueues.cpu == cpu && (uint64_t)`runqueues.curr == (uint64_t)curthread] = count(); @cpus[cpu] = count(); }
	tick-1s { exit(0); } END { printa("right %d\n", @); printa("cpu %d\n", @cpus); }'
is "$(grep right "$work/out")" "right 1" "a per-CPU variable has the value of this CPU"
between "$(grep -c cpu "$work/out")" 2 1024 "... on several"

done_testing
