/* A clause for many probes: in each probe, arg0 has the width and the sign of the first parameter. */
/* @fire syscall::close:entry arg0=0xdeadbeef80000003 */
/* @fire syscall::kill:entry arg0=0xdeadbeeffffffffe arg1=0xdeadbeef00000009 */
/* @fire syscall::kill:entry arg0=0xdeadbeef00000007 arg1=0xdeadbeefffffffff */
/* @fire syscall::brk:entry arg0=0xdeadbeef80000003 */
/* @fire syscall::lseek:entry arg0=0xdeadbeef80000003 arg1=0xdeadbeef80000003 */
#pragma D option quiet

syscall:::entry
{
	printf("%s %x %x\n", probefunc, arg0, arg1);
}
