/* All of the scratch area can be written, allocated or not; nothing outside of it. */
/* rows: DTRACEFLT_NOSCRATCH -xscratchsize */
#pragma D option quiet
#pragma D option scratchsize=64

BEGIN
{
	this->p = (char *)alloca(16);
	this->p[16] = 1;
	this->p[63] = this->p[16] + 1;
	printf("%d %d\n", this->p[16], this->p[63]);
}

BEGIN
{
	this->p = (char *)alloca(16);
	this->p[64] = 1;
}

BEGIN
{
	this->p = (char *)alloca(16);
	this->p[-1] = 1;
}

BEGIN
{
	this->q = (long *)(this->p + 57);
	*this->q = 1;
}

BEGIN
{
	this->q = (long *)((char *)alloca(16) + 57);
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
