/* bcopy(): into the scratch area only, from anywhere. */
#pragma D option quiet
#pragma D option scratchsize=64

struct s {
	int x;
	int y;
};

struct s v;

BEGIN
{
	v.x = 1;
	v.y = 2;
	this->p = (struct s *)alloca(sizeof (struct s));
	this->c = (char *)alloca(8);
	this->c[0] = 'o';
	this->c[1] = 'k';
	this->p->y = 7;
	this->y = this->p->y;
	bcopy(this->c, this->p, 3);
	printf("%s %d %d\n", stringof((char *)this->p), this->y, this->p->y);
	this->n = 8;
	bcopy(this->p, this->c, this->n);
	printf("%s %d\n", stringof(this->c), ((struct s *)this->c)->y);
	bcopy(this->p, this->c, 0);
}

BEGIN
{
	bcopy(alloca(8), alloca(8), 57);
}

BEGIN
{
	this->p = (struct s *)alloca(8);
	bcopy((void *)0x20, this->p, 8);
}

BEGIN
{
	bcopy(alloca(8), (void *)0x20, 8);
}

BEGIN
{
	this->n = 1 << 20;
	bcopy(alloca(8), alloca(8), this->n);
}

BEGIN
{
	exit(0);
}

ERROR
{
	printf("%d%s\n", arg4, arg5 > 0 && arg5 < 4096 ? strjoin(" ", lltostr(arg5)) : "");
}
/* @afar line 25: bcopy() */
