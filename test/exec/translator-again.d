/* An already translated argument can be translated again, to the type that it has. */
/* @fire rawtp:::sched_process_hang pid=20 comm=one ppid=1 */
/* @fire rawtp:::sched_switch pid=20 comm=one ppid=1 arg1=0xffff888000100000 arg2=0xffff888000000000 */
#pragma D option quiet

rawtp:::sched_process_hang
{
}

sched:::off-cpu
{
	printf("%d\n", xlate <psinfo_t *> (args[1])->pr_pid);
	printf("%d %d\n", xlate <lwpsinfo_t *> (args[0])->pr_lwpid,
	    xlate <psinfo_t> (args[1]).pr_pid);
}
