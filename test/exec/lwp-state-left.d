/*
 * The state in which a thread leaves its processor is the one that the scheduler used, whatever has
 * happened since: preempted, interruptible, exited.
 */
/* @fire rawtp:::sched_switch pid=20 arg0=1 arg1=0xffff888000000000 arg2=0xffff888000100000 arg3=1 */
/* @fire rawtp:::sched_switch pid=20 arg0=0 arg1=0xffff888000000000 arg2=0xffff888000100000 arg3=1 */
/* @fire rawtp:::sched_switch pid=20 arg0=0 arg1=0xffff888000000000 arg2=0xffff888000100000 arg3=0x2 */
/* @fire rawtp:::sched_switch pid=20 arg0=0 arg1=0xffff888000000000 arg2=0xffff888000100000 arg3=0 */
/* @fire rawtp:::sched_switch pid=20 arg0=0 arg1=0xffff888000000000 arg2=0xffff888000100000 arg3=4 */
#pragma D option quiet

sched:::off-cpu
{
	printf("%d %c\n", curlwpsinfo->pr_state, curlwpsinfo->pr_sname);
}

sched:::sleep
{
	printf("sleep %d ", curlwpsinfo->pr_state);
}

sched:::preempt
{
	printf("preempt %d ", curlwpsinfo->pr_state);
}
