#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# priv.t: the priv provider, compared with privileges that a program gets and is denied (test/kern/events.c).
#
# guests: 6.1
. "${0%/*}/lib.sh"

[ -d /sys/kernel/tracing/events/capability/cap_capable ] || may_probe_functions ||
	skip_all "no tracepoint cap_capable, and the kernel lets no functions be traced"

n=37
for kind in allowed denied; do
	dtrace_run -q -c "$top/build/test-events $kind $n" -n '
	priv:kernel:priv_check:priv-ok /pid == $target && args[0] == CAP_SYS_CHROOT/ { @ok["ok"] = count(); }
	priv:::priv-err /pid == $target && args[0] == CAP_SYS_CHROOT/ { @err["err", probefunc] = count(); }'
	ok "$kind: dtrace ends well and drops nothing" dtrace_is_quiet
	has "$work/out" "^own $n\$" "$kind: the program has its way"
	case $kind in
	allowed) want_ok=$n want_err=0 ;;
	denied) want_ok=0 want_err=$n ;;
	esac
	is "$(value ok)" "$want_ok" "$kind: priv-ok"
	is "$(value err priv_check)" "$want_err" "$kind: priv-err"
done

dtrace_run -q -c "$top/build/test-events denied 3" -n 'priv:::priv-err /pid == $target/ { @traces[stack()] = count(); }'
ok "the stacks of what is refused" dtrace_is_quiet
has "$work/out" 'cap_capable|capable' "the function that asks is in them"

done_testing
