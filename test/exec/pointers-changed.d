/*
 * Pointers into D variables, turned into numbers or pointers to larger types: they are read like
 * any address.  Through them globals can be written, constants and elements of arrays cannot.
 */
#pragma D option quiet

struct st { int a; int b; } v, el[int];
int n[4];
string s;
string kept[string];

BEGIN
{
	n[1] = 5;
	el[3].b = 7;
	v.b = 9;
	s = "abcdef";
	this->x = (uint64_t)&n[1];
	printf("%d %d\n", *(int *)this->x, *(int *)(uintptr_t)&v.b);
	n[1] = 6;
	printf("%d %d\n", *(int *)this->x, *&el[3].b);
	printf("%d %c\n", strlen(lltostr((int64_t)&n[1])) > 0, *((char *)s + 2));
	printf("%x %d\n", *(int *)(char *)s, ((struct st *)s)->a == *(int *)s);
	@ = lquantize((int64_t)&n[1] & 3, 0, 4, 1);
}

BEGIN
{
	*(char *)"literal" = 'x';
}

BEGIN
{
	*(char *)kept["x"] = 'x';
}

BEGIN
{
	*&el[4].a = 1;
}

BEGIN
{
	*(long *)&n[1] = 1;
}

BEGIN
{
	printf("%d %d\n", el[4].a, n[1]);
	exit(0);
}

ERROR
{
	printf("%d\n", arg4 == DTRACEFLT_BADADDR);
}
/* @afar line 19: reading memory */
