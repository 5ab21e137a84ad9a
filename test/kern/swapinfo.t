#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# swapinfo.t: the tool, compared with /proc/meminfo.
#
# guests: 6.12
# alone: memory of the whole machine
. "${0%/*}/lib.sh"

grep -qw nr_swap_pages /proc/kallsyms || skip_all "the kernel does not show the addresses of its variables"

# kb NAME: prints the kernel's value in kB.
kb() {
	sed -n "s/^$1: *\([0-9]*\) kB/\1/p" /proc/meminfo
}

# shown LABEL: prints a value of the last output in MB.
shown() {
	sed -n "s/^$1 *\([0-9]*\) MB$/\1/p" "$work/out" | tail -n 1
}

# near LABEL kB...: checks that the shown value is the sum of these, with room for changes meanwhile and for dtrace
# itself.
near() {
	local label=$1 sum=0 kb
	shift
	for kb; do
		sum=$((sum + kb))
	done
	between "$(shown "$label")" $((sum / 1024 - 48)) $((sum / 1024 + 48)) "$label"
}

export DTRACE=$dtrace
"$top/scripts/swapinfo" >"$work/out" 2>"$work/err"
is $? 0 "it shows once, and ends"
near 'RAM Total' "$(kb MemTotal)"
near 'RAM Kernel' "$(kb Slab)"
near 'RAM Anon' "$(kb AnonPages)"
near 'RAM File' "$(kb Cached)" "$(kb Buffers)" "$(kb SwapCached)"
near 'RAM Free' "$(kb MemFree)"
near 'Swap Total' "$(kb SwapTotal)"
near 'Swap Free' "$(kb SwapFree)"
is "$(shown 'Swap Used')" $((($(kb SwapTotal) - $(kb SwapFree)) / 1024)) "Swap Used"

dd if=/dev/zero of="$work/file" bs=1M count=100 2>/dev/null
"$top/scripts/swapinfo" 1 2 >"$work/out" 2>"$work/err"
is "$(grep -c '^RAM File' "$work/out")" 3 "at once, and twice after a second each"
near 'RAM File' "$(kb Cached)" "$(kb Buffers)" "$(kb SwapCached)"
done_testing
