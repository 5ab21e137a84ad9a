/* Clause-local structures, arrays in them and strings can be written through pointers. */
#pragma D option quiet
#pragma D option scratchsize=256

struct st { int a; long b; char c[4]; };
this struct st v;
this string s;
this struct st w;

BEGIN
{
	this->v.a = 1;
	this->p = (int *)(uintptr_t)&this->v.a;
	*this->p = 7;
	this->l = (long *)(uintptr_t)&this->v.b;
	*this->l = 1LL << 40;
	this->q = (char *)(uintptr_t)&this->v.c[1];
	*this->q = 'x';
	printf("%d %d %c\n", this->v.a, this->v.b, this->v.c[1]);
	this->s = "abc";
	this->c = (char *)this->s;
	this->c[0] = 'X';
	this->c[2]++;
	printf("%s\n", this->s);
	this->a = (char *)alloca(8);
	this->a[7] = 'y';
	this->m = (int *)(uintptr_t)&this->w.a;
	*this->m = 9;
	printf("%c %d %d\n", this->a[7], this->w.a, this->v.a);
}

/* The memory of alloca() ends there, whatever follows it. */
BEGIN
{
	this->a = (char *)alloca(8);
	this->w.a = 3;
	this->a[256] = 1;
}

ERROR
{
	printf("%d\n", arg4);
	exit(0);
}
/* @afar line 22: writing to memory */
