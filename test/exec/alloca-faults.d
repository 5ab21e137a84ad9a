/* What was not handed out, in this clause, may not be written. */
/* rows: DTRACEFLT_NOSCRATCH */
#pragma D option quiet
#pragma D option scratchsize=64

BEGIN
{
	this->p = (char *)alloca(16);
	this->p[15] = 1;
	this->p[16] = 1;
}

BEGIN
{
	this->p = (char *)alloca(16);
	this->p[-1] = 1;
}

BEGIN
{
	this->q = (long *)(this->p + 9);
	*this->q = 1;
}

BEGIN
{
	this->q = (long *)((char *)alloca(16) + 9);
	*this->q = 1;
}

BEGIN
{
	*(int *)0x10 = 1;
}

BEGIN
{
	*(int *)NULL = 1;
}

BEGIN
{
	this->a = alloca(32);
	this->b = alloca(25);
	this->c = (char *)alloca(8);
	printf("not here\n");
}

BEGIN
{
	this->n = 65;
	alloca(this->n);
}

BEGIN
{
	this->n = -1;
	alloca(this->n);
}

BEGIN
{
	alloca(64);
	printf("fits\n");
	exit(0);
}

ERROR
{
	printf("%d%s\n", arg4, arg5 > 0 && arg5 < 4096 ? strjoin(" ", lltostr(arg5)) : "");
}
