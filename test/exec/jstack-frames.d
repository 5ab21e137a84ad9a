/* jstack() of a thread without an interpreter is its ustack(). */
/* @fire syscall::read:entry ustack=0x400000,0x400100 */
#pragma D option quiet

syscall::read:entry
{
	jstack(2);
	@[jstack(1)] = count();
}
