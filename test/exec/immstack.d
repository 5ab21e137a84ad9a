/* immstack(): the frames of stack() as names.  In this kernel, no function has a name. */
/* @fire syscall::read:entry kstack=0x10,0x20,0x30 */
#pragma D option quiet

syscall::read:entry
{
	immstack();
	immstack(2);
	@[immstack(1)] = count();
}
