/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * callout.d: the callout_execute provider: the kernel calls functions of expired timers (struct
 * timer_list) and high-resolution timers (struct hrtimer).
 *
 * arg0 is the timer.  At callout_end the timer may be freed already, so args[0] keeps its contents
 * at callout_start.  The thread is the interrupted one.
 */

struct callout {
	uintptr_t c_arg;       /* argument of the function: the timer */
	void (*c_func)(void *);/* the function */
	uint64_t c_time;       /* expiry: ns of the timer's clock, or jiffies */
	int c_hires;           /* 1: a high-resolution timer */
	int c_cpu;             /* CPU */
};

/*
 * Functions that run on each CPU, four levels deep: a function of a high-resolution timer can
 * interrupt one of another kind.  Counting starts at BEGIN, when the programs for both ends are
 * attached.
 */
int callout_counts;
int callout_depth[1024];
void (*callout_func[4096])(void *);
uint64_t callout_time[4096];
int callout_hires[4096];

this int callout_at;

inline int callout_top = (cpu << 2) + (callout_depth[cpu] & 3);

dtrace:::BEGIN
{
	callout_counts = 1;
}

rawtp:::timer_expire_entry, rawtp:::hrtimer_expire_entry
/callout_counts/
{
	callout_depth[cpu] = callout_depth[cpu] + 1;
	this->callout_at = callout_top;
}

rawtp:::timer_expire_entry
/callout_counts/
{
	callout_func[this->callout_at] = (void (*)(void *))args[0]->function;
	callout_time[this->callout_at] = args[0]->expires;
	callout_hires[this->callout_at] = 0;
}

rawtp:::hrtimer_expire_entry
/callout_counts/
{
	callout_func[this->callout_at] = (void (*)(void *))args[0]->function;
	callout_time[this->callout_at] = args[0]->node.expires;
	callout_hires[this->callout_at] = 1;
}

rawtp:::timer_expire_exit, rawtp:::hrtimer_expire_exit
{
	this->callout_at = callout_top;
	callout_depth[cpu] = callout_depth[cpu] > 0 ? callout_depth[cpu] - 1 : 0;
}

translator struct callout < uintptr_t T > {
	c_arg = T;
	c_func = callout_func[this->callout_at];
	c_time = callout_time[this->callout_at];
	c_hires = callout_hires[this->callout_at];
	c_cpu = cpu;
};

provider callout_execute {
	probe callout_start(uintptr_t timer) : (struct callout *timer);
	probe callout_end(uintptr_t timer) : (struct callout *timer);
};

site callout_execute:::callout_start from rawtp:::timer_expire_entry, rawtp:::hrtimer_expire_entry
{
	return ((uintptr_t)arg0);
}

site callout_execute:::callout_end from rawtp:::timer_expire_exit, rawtp:::hrtimer_expire_exit
{
	return ((uintptr_t)arg0);
}
