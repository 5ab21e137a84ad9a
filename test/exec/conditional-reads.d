/* A read in one branch is repeated where that branch was not taken. */
/* @mem kernel 0x1000 2a 00 00 00 "str\0" */
/* @fire syscall::read:entry arg0=0 arg1=0x1000 */
/* @fire syscall::read:entry arg0=1 arg1=0x1000 */
/* @fire syscall::read:entry arg0=0 arg1=0 */
/* @fire syscall::read:entry arg0=1 arg1=0 */
#pragma D option quiet

syscall::read:entry
{
	this->p = (int *)arg1;
	this->a = arg0 ? *this->p : -1;
	this->b = arg1 && *this->p == 42;
	printf("%d %d ", this->a, this->b);
	printf("%d %s\n", *this->p + 1, stringof((char *)arg1 + 4));
}
