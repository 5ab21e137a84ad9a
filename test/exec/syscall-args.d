/* arg0 to arg5 are the registers of the call, args[] the same with their types. */
/* @fire syscall::read:entry arg0=3 arg1=0x7f0000001000 arg2=4096 */
/* @fire syscall::mmap:entry arg0=1 arg1=2 arg2=3 arg3=4 arg4=0xffffffffffffffff arg5=6 */
#pragma D option quiet

syscall::read:entry
{
	printf("%d %x %d\n", arg0, arg1, arg2);
}

syscall::mmap:entry
{
	printf("%d %d %d %d %d %d %d\n", arg0, arg1, arg2, arg3, arg4, arg5, arg6);
}
/* rows: arg0 arg1 arg2 arg3 arg4 arg5 arg6 */
