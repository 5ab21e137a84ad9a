/* copyout(), copyoutstr(): user memory is written, and read again with the new contents. */
/* @mem user 0x1000 "................" 00 */
/* @fire syscall::write:entry arg0=0x1000 arg1=0x9000 arg2=3 */
#pragma D option quiet
#pragma D option destructive

syscall::write:entry
{
	this->p = (char *)alloca(8);
	this->p[0] = 'a';
	this->p[1] = 'b';
	this->p[2] = 'c';
	this->before = *(char *)copyin(arg0, 1);
	copyout(this->p, arg0 + 1, arg2);
	copyout(this->p, arg0, 0);
	printf("%c [%s]\n", this->before, copyinstr(arg0));
	copyoutstr("xyz", arg0 + 6, 100);
	printf("[%s] [%s]\n", copyinstr(arg0), copyinstr(arg0 + 10));
	copyoutstr("12345", arg0 + 9, 2);
	printf("[%s]\n", copyinstr(arg0 + 8));
	copyoutstr("none", arg0, 0);
	printf("[%s]\n", copyinstr(arg0));
}

syscall::write:entry
{
	copyout(alloca(4), arg1, 4);
}

syscall::write:entry
{
	copyoutstr("no", arg1, 4);
}

syscall::write:entry
{
	copyout((void *)0x30, arg0, 4);
}
/* rows: copyout copyoutstr */
