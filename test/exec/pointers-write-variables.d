/* Global arrays, structures and strings can be written through pointers. */
#pragma D option quiet

struct st { int a; long b; struct { char c[4]; } in; } g, h;
int n[4];
string s;
int *kept;

BEGIN
{
	kept = &n[2];
	this->p = (int *)&n[1];
	*this->p = 7;
	this->p[2] = 9;
	printf("%d %d\n", n[1], n[3]);
	this->l = (long *)(uintptr_t)&g.b;
	*this->l = 1 << 40;
	this->q = (char *)(uintptr_t)&g.in.c[1];
	*this->q = 'x';
	printf("%d %c\n", g.b, g.in.c[1]);
	s = "abc";
	this->c = (char *)s;
	*this->c = 'X';
	this->c[1]++;
	printf("%s\n", s);
	bcopy(this->c, (char *)(uintptr_t)&g.in.c[0], 3);
	printf("%c%c%c\n", g.in.c[0], g.in.c[1], g.in.c[2]);
}

BEGIN
{
	(*kept)++;
	*kept += 4;
	printf("%d\n", n[2]);
}

BEGIN
{
	this->l = (long *)((uintptr_t)&n[0] - (1 << 30));
	*this->l = 1;
}

END
{
	*kept = -1;
	printf("%d\n", n[2]);
}

ERROR
{
	printf("%d\n", arg4);
	exit(0);
}
/* @afar line 23: writing to memory */
