/* $target is 0 without a process; ids of dtrace itself are numbers. */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d\n", $target, $pid > 0, $ppid != $pid);
	exit(0);
}
