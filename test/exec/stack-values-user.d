/* A stack of a process knows its process, even next to a kernel stack in a variable or column. */
/* @fire syscall::read:entry pid=5000000 ustack=0x401000,0x402000 kstack=0x401000,0x402000 */
/* @fire syscall::read:entry pid=5000001 ustack=0x401000,0x402000 kstack=0x401000,0x402000 */
#pragma D option quiet
#pragma D option unwindsize=0
dt_stack_t last;

syscall::read:entry
{
	printf("%d %d\n", last == ustack(), ustack() == stack());
	last = ustack();
	@["both", ustack()] = count();
	@["both", last] = count();
	@["both", stack()] = count();
	keep[last] = pid;
	printf("%d %d\n", keep[ustack()], keep[stack()]);
}

END
{
	trace(last);
	last = jstack(1);
}
