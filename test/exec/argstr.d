/* argstr(): arguments as text: a blank for each NUL between them, none at the end. */
/* @mem kernel 0xffff800000001000 "ls" 00 "-l" 00 00 "/tmp" 00 00 00 "rest" */
/* @fire syscall::write:entry arg1=0xffff800000001000 */
#pragma D option quiet
#pragma D option strsize=12

syscall::write:entry
{
	this->p = (char *)arg1;
	printf("[%s] [%s]\n", argstr(this->p, 13), argstr(this->p, 100));
	printf("[%s] [%s] [%s]\n", argstr(this->p, 3), argstr(this->p, 1), argstr(this->p, 0));
	printf("[%s] [%s]\n", argstr(this->p + 6, 1), argstr(this->p + 5, 2));
}
