/* Stacks as keys: the frames, then the value on a line of its own. */
/* @fire syscall::read:entry kstack=0x10,0x20 */
/* @fire syscall::read:entry kstack=0x10,0x20 */
/* @fire syscall::read:entry kstack=0x10 */
#pragma D option quiet

syscall::read:entry
{
	@[stack()] = count();
}
