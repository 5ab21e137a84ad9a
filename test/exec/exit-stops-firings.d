/* After exit() no other probe fires, and no later clause of the firing that called it. */
/* @fire syscall::read:entry pid=1 */
/* @fire syscall::read:entry pid=2 hold=1 */
/* @fire syscall::read:entry pid=3 hold=1 */
/* @fire syscall::write:entry pid=4 */
#pragma D option quiet

syscall::read:entry
{
	printf("read %d\n", pid);
}

syscall::read:entry
/pid == 2/
{
	exit(0);
}

syscall::read:entry
{
	printf("after %d\n", pid);
}

syscall::write:entry
{
	printf("never\n");
}

END
{
	printf("end\n");
}
