/* A thread that does not run yet has no memory to read, and cannot get a signal. */
/* @mem user 0x7000 "of the thread that runs\0" */
/* @fire rawtp:::sched_process_hang pid=20 comm=one */
/* @fire rawtp:::sched_process_hang pid=30 comm=two */
/* @fire rawtp:::sched_switch pid=20 comm=one arg1=0xffff888000200000 arg2=0xffff888000300000 */
#pragma D option quiet
#pragma D option destructive

BEGIN
{
}

rawtp:::sched_process_hang
{
}

sched:::off-cpu
{
	printf("%s\n", copyinstr(0x7000));
}

sched:::on-cpu
{
	printf("%s\n", copyinstr(0x7000));
}

sched:::on-cpu
{
	printf("%d\n", *(int *)copyin(0x7000, 4));
}

sched:::on-cpu
{
	copyoutstr("x", 0x7000, 2);
}

sched:::on-cpu
{
	raise(9);
	printf("raised\n");
}

sched:::on-cpu
{
	stop();
	printf("stopped\n");
}

ERROR
{
	printf("fault %d at %x\n", arg4, arg5);
}
