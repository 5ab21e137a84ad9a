/* copyin() returns writable memory; copyinto() fills such memory. */
/* @mem user 0x1000 "hello world" 00 "more" */
/* @fire syscall::write:entry arg0=0x1000 arg2=5 */
/* @fire syscall::write:entry arg0=0x1000 arg2=12 */
/* @fire syscall::write:entry arg0=0x1000 arg2=65 */
/* @fire syscall::write:entry arg0=0x5000 arg2=5 */
#pragma D option quiet
#pragma D option scratchsize=64

syscall::write:entry
{
	this->p = (char *)copyin(arg0, arg2);
	this->p[0] = 'J';
	printf("[%s]\n", stringof(this->p));
}

syscall::write:entry
{
	this->p = (char *)alloca(32);
	copyinto(arg0 + 6, arg2, this->p + 8);
	this->p[8]++;
	printf("%d [%s]\n", this->p[7], stringof(this->p + 8));
}

syscall::write:entry
{
	this->p = (char *)alloca(32);
	copyinto(arg0, 1, this->p + 64);
	printf("not here\n");
}
/* rows: copyinto */
