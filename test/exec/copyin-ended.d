/* A string made from copyin(p, n) ends at n, whatever was copied before. */
/* @mem user 0x1000 "LONGMETHODNAMEXXXXXXXXXXXXX" 00 */
/* @mem user 0x2000 "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz" 00 */
/* @fire syscall::write:entry arg0=0x1000 arg1=14 */
/* @fire syscall::write:entry arg0=0x2000 arg1=3 */
/* @fire syscall::write:entry arg0=0x2000 arg1=8 */
/* @afar reading memory */
/* @fire syscall::write:entry arg0=0x2000 arg1=0 */
#pragma D option quiet
#pragma D option scratchsize=64

syscall::write:entry
{
	printf("[%s]", stringof(copyin(arg0, arg1)));
	this->a = copyin(arg0, arg1);
	this->b = copyin(arg0, 8);
	printf(" [%s] [%s] %d\n", stringof(this->a), stringof(this->b), strlen(stringof(this->a)));
}

/* The whole room, and one byte more. */
syscall::write:entry
/arg1 == 8/
{
	this->p = (char *)copyin(arg0, arg1);
	this->q = (char *)copyin(arg0, 48);
	printf("[%.16s] [%.16s]\n", stringof(this->p), stringof(this->q));
}

syscall::write:entry
/arg1 == 8/
{
	this->p = (char *)copyin(arg0, 8);
	this->q = (char *)copyin(arg0, 48);
	this->r = (char *)copyin(arg0, 1);
	printf("not here\n");
}

ERROR
{
	printf("%d\n", arg4 == DTRACEFLT_NOSCRATCH);
}
