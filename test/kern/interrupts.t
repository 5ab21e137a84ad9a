#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# interrupts.t: sdt:::interrupt-start and interrupt-complete, compared with /proc/interrupts.
#
# guests: 6.12
. "${0%/*}/lib.sh"
[ -n "${GUEST:-}" ] || skip_all "would trace what others do here"

# totals: prints the number of each interrupt of a device, and how often it has come.
totals() {
	awk -v cpus="$(nproc)" '$1 ~ /^[0-9]+:$/ {
		n = 0
		for (i = 2; i < 2 + cpus; i++)
			n += $i
		print $1 + 0, n
	}' /proc/interrupts
}

# times FILE NUMBER
times() {
	awk -v irq="$2" '$1 == irq { print $2 }' "$work/$1"
}

totals >"$work/outer"
dtrace_start -q -n 'sdt:::interrupt-start { @start["start", args[3]] = count(); self->handler = args[1]; }
	sdt:::interrupt-complete { @end["end", args[3], args[1] == self->handler, args[4]] = count(); }
	sdt:::interrupt-start /args[0]->handler == NULL || args[0]->name == NULL/ { @["none"] = count(); }'
totals >"$work/inner"
for _ in 1 2 3 4 5; do
	echo "a line for the console" >/dev/ttyS1
done
totals >"$work/inner.end"
dtrace_stop
totals >"$work/outer.end"
seen=0
while read -r irq end; do
	least=$((end - $(times inner "$irq")))
	most=$(($(times outer.end "$irq") - $(times outer "$irq")))
	[ $least -gt 0 ] || continue
	seen=$((seen + 1))
	between "$(value start "$irq")" $least $most "interrupt-start of interrupt $irq"
	is $(($(value end "$irq" 1 0) + $(value end "$irq" 1 1))) "$(value start "$irq")" "each is complete, by the same handler"
	positive "$(value end "$irq" 1 1)" "some were the handler's"
done <"$work/inner.end"
positive $seen "interrupts came"
is "$(value none)" 0 "each has a handler"

done_testing
