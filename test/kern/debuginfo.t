#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# debuginfo.t: debug information of the kernel: types of variables, and places where a function was inlined.
# rows: -xdebugdir
# guests: 6.12
. "${0%/*}/lib.sh"

debug=$work/debug
file=$debug/boot/vmlinux-$(uname -r)
mkdir -p "$debug/boot"
cp "$top/build/test-inlined" "$file"
type_of='BEGIN { printf("%d\n", sizeof (`_stext)); exit(0); }'

# Debug information of another kernel.
dtrace_run -qx debugdir="$debug" -n "$type_of"
is "$(cat "$work/out")" 8 "debug information of another kernel"
if may_probe_functions; then
	dtrace_run -qx debugdir="$debug" -n 'kinst::test_inlined:entry { }'
	has "$work/err" 'no function test_inlined in the kernel; finding inlined ones needs debug information, which' \
		"... has no places either"
fi

id=$(od -An -v -tx1 /sys/kernel/notes | tr -d ' \n' | sed -n 's/.*040000001400000003000000474e5500\(.\{40\}\).*/\1/p')
at=$(grep -obUa DTRACE-TEST-BUILD-ID "$file" | cut -d : -f 1)
printf '%b' "$(echo "$id" | sed 's/../\\x&/g')" | dd of="$file" bs=1 seek="$at" conv=notrunc status=none
dtrace_run -qn "$type_of"
is "$(cat "$work/out")" 8 "none where none is installed"
dtrace_run -qx debugdir="$debug" -n "$type_of"
is "$(cat "$work/out")" 12 "a type that only it knows"
if ! may_probe_functions || ! grep -q ' saved_command_line$' /proc/kallsyms; then
	skip "variables and places" "this kernel shows symbols of functions only, or lets nobody probe them"
	done_testing
fi

# Types: an array, a pointer, a structure.
dtrace_run -qx debugdir="$debug" -n 'BEGIN {
	printf("%d %d %d %d\n", `console_printk[0], `console_printk[1], `console_printk[2], `console_printk[3]);
	printf("%s\n", stringof(`saved_command_line));
	printf("%s %d\n", `init_task.comm, sizeof (`init_task) == sizeof (struct task_struct)); exit(0); }'
is "$(sed -n 1p "$work/out")" "$(tr '\t' ' ' </proc/sys/kernel/printk)" "an array of numbers"
is "$(sed -n 2p "$work/out")" "$(cat /proc/cmdline)" "a pointer to characters"
is "$(sed -n 3p "$work/out")" "swapper/0 1" "a structure has the members of the kernel"
dtrace_run -qx debugdir="$debug" -n 'extern char console_printk[2]; BEGIN { trace(sizeof (`console_printk)); exit(0); }'
is "$(cat "$work/out")" 2 "what a program declares is what counts"

# All places are one probe.  The build id finds the file, too.
mkdir -p "$work/by-id/.build-id/${id:0:2}"
mv "$file" "$work/by-id/.build-id/${id:0:2}/${id:2}.debug"
copy="dd if=/dev/zero of=/dev/null bs=7 count=40 status=none"
dtrace_run -qx debugdir="$work/by-id" -c "$copy" -n '
	kinst::test_inlined:entry, kinst::test_inlined: /pid == $target && regs[R_RDX] == 7/
	{ @[probefunc, probename, func(regs[R_PC])] = count(); }
	END { printa("%s %s %a %@d\n", @); }'
is "$(sed '/^$/d; s/vmlinux.//' "$work/out" | sort | paste -sd ' ')" \
	"test_inlined entry ksys_read 80 test_inlined entry ksys_write 80" "one probe, by its name and by none"
dtrace_run -qx debugdir="$work/by-id" -n 'kinst::test_inlined:0, kinst::test_nowhere:entry { }'
has "$work/err" 'no function test_inlined in the kernel' "it has no instructions of its own"
has "$work/err" 'no function test_nowhere in the kernel, and none is inlined' "one that is nowhere"

done_testing
