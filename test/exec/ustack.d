/* ustack() of a process that has ended, with unknown tables: addresses, and a mark. */
/* @fire syscall::read:entry pid=5000000 ustack=0x401000,0x402000 */
#pragma D option quiet

syscall::read:entry
{
	ustack();
	printf("%d\n", ustackdepth);
	@[ustack(1), execname] = count();
}
