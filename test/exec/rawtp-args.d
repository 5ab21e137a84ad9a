/* Arguments of a tracepoint have the types of its prototype. */
/* @fire rawtp:::sched_process_hang arg0=0x1000 */
/* @fire rawtp:::cpu_idle arg0=0xffffffff00000003 arg1=7 */
#pragma D option quiet

rawtp:::cpu_idle
{
	printf("%d %d %d\n", arg0, args[0], args[1]);
}

rawtp:::sched_process_hang
{
	printf("%x\n", arg0);
}
/* rows: args */
