/* caller: the second frame of the stack, or 0 without one. */
/* @fire syscall::read:entry kstack=0x10,0x20,0x30 */
/* @fire syscall::read:entry kstack=0x10 */
#pragma D option quiet

syscall::read:entry
{
	printf("%x %d\n", caller, stackdepth);
}
