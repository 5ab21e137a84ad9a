/* copyin(): bytes of the process as an object. */
/* @mem user 0x1000 01 02 03 04 ff ff ff ff 41 42 43 00 */
/* @fire syscall::write:entry arg1=0x1000 arg2=12 */
/* @fire syscall::write:entry arg1=0x1004 arg2=12 */
#pragma D option quiet

syscall::write:entry
{
	this->p = (int *)copyin(arg1, 12);
	printf("%x %d %s\n", this->p[0], this->p[1], stringof((char *)this->p + 8));
	printf("%x\n", *(short *)copyin(arg1, arg2));
}
