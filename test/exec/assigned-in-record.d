/* An assignment in the arguments of an action is made where the action runs. */
/* @fire syscall::read:entry pid=7 arg0=40 */
#pragma D option quiet

syscall::read:entry
{
	printf("%d %d\n", x = arg0 + 2, y = pid);
}

syscall::read:entry
/(z = arg0) == 40/
{
	printf("%d %d %d\n", x, y, z);
}
