#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# callout.t: the callout_execute provider, compared with the timers for which a program waits (test/kern/events.c).
#
# guests: 6.12
. "${0%/*}/lib.sh"

# The function's argument leads to the waiting thread.
n=30
undisturbed dtrace_run -q -c "$top/build/test-events sleep $n" -n '
callout_execute:::callout_start
/args[0]->c_hires && args[0]->c_func == (void (*)(void *))&`hrtimer_wakeup &&
    ((struct hrtimer_sleeper *)args[0]->c_arg)->task->tgid == $target/
{
	@start["start"] = count();
	runs[cpu] = arg0;
}
callout_execute:::callout_end /runs[cpu] == arg0/
{
	@end["end", args[0]->c_func == (void (*)(void *))&`hrtimer_wakeup] = count();
	runs[cpu] = 0;
}'
ok "sleeping: dtrace ends well and drops nothing" dtrace_is_quiet
has "$work/out" "^own $n\$" "the program has slept"
is "$(value start)" $n "each high-resolution timer starts its function"
is "$(value end 1)" $n "each function ends, and has its name"

undisturbed dtrace_run -q -c "$top/build/test-events receive $n" -n '
callout_execute:kernel::callout_start
/!args[0]->c_hires && args[0]->c_func == (void (*)(void *))&`process_timeout &&
    ((struct process_timer *)args[0]->c_arg)->task->tgid == $target/
{
	@start["start", args[0]->c_cpu == cpu] = count();
	runs[cpu] = arg0;
}
callout_execute:kernel::callout_end /runs[cpu] == arg0/
{
	@end["end", args[0]->c_func == (void (*)(void *))&`process_timeout] = count();
	runs[cpu] = 0;
}'
ok "receiving: dtrace ends well and drops nothing" dtrace_is_quiet
has "$work/out" "^own $n\$" "the program has waited in vain"
is "$(value start 1)" $n "each timer starts its function"
is "$(value end 1)" $n "each function ends"

# The example of the manual.
# An interrupted thread that waits for a processor keeps its variable, so a busy machine needs room for more of them.  A timer
# that interrupts the kernel while it makes a variable cannot make one.  dtrace reports that as a drop.
dtrace_run -q -x dynvarsize=4m -c "$top/build/test-events sleep $n" -n 'callout_execute:::callout_start { self->cstart = timestamp; }
callout_execute:::callout_end /self->cstart/ { @length = quantize(timestamp - self->cstart); }'
is "$status $(grep -vc '[0-9]* dynamic variable drop\|: option dynvarsize is ' "$work/err")" "0 0" "the time that functions take" ||
	note_file errors "$work/err"
has "$work/out" '@.* [1-9]' "there is a distribution"

# Published scripts use the function by name, and go from one probe to the other.
undisturbed dtrace_run -q -c "$top/build/test-events sleep $n" -n '
sdt:::callout-start /((callout_t *)arg0)->c_func == (void (*)(void *))&`hrtimer_wakeup/
{
	this->sleeper = (struct hrtimer_sleeper *)(arg0 + offsetof(callout_t, c_func) - offsetof(struct hrtimer, function));
	@calls[((callout_t *)arg0)->c_func, this->sleeper->task->tgid == $target] = count();
	@time["time", this->sleeper->task->tgid == $target, args[0]->c_time == this->sleeper->timer._softexpires] = count();
	began[cpu] = this->sleeper->task->tgid == $target ? arg0 : 0;
}
sdt:::callout-end /began[cpu] != 0 && began[cpu] == arg0/ { @ended["ended"] = count(); began[cpu] = 0; }
END { printa("%a %d %@d\n", @calls); }'
ok "sdt:::callout-start: dtrace ends well and drops nothing" dtrace_is_quiet
has "$work/out" "hrtimer_wakeup 1 $n\$" "sdt:::callout-start: the function"
is "$(value time 1 1) $(value ended)" "$n $n" "sdt:::callout-start: the time, and the end"

done_testing
