/* memstr(): a piece of memory as a string, with a character for each NUL but the last. */
/* @mem kernel 0xffff800000001000 "ls" 00 "-l" 00 "/tmp" 00 "rest" */
/* @fire syscall::write:entry arg1=0xffff800000001000 */
#pragma D option quiet
#pragma D option strsize=12

syscall::write:entry
{
	this->p = (char *)arg1;
	printf("[%s] [%s]\n", memstr(this->p, ' ', 11), memstr(this->p, '|', 6));
	printf("[%s] [%s] [%s]\n", memstr(this->p, '|', 2), memstr(this->p, '|', 1), memstr(this->p, '|', 0));
	printf("[%s] [%s]\n", memstr(this->p, ' '), memstr(this->p, ' ', 100));
}

syscall::write:entry
{
	printf("[%s]\n", memstr((char *)0x10, ' ', 4));
}
