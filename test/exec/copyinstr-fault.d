/* An unmapped address is a fault with the address; so is an address of the kernel. */
/* @mem kernel 0xffffffff82000000 "secret\0" */
/* @mem user 0x5000 "ok\0" */
/* @fire syscall::openat:entry arg1=0x1000 */
/* @fire syscall::openat:entry arg1=0xffffffff82000000 */
/* @fire syscall::openat:entry arg1=0x5000 */
#pragma D option quiet

syscall::openat:entry
{
	printf("[%s]\n", copyinstr(arg1));
}

ERROR
{
	printf("%d %x\n", arg4 == DTRACEFLT_BADADDR, arg5);
}
