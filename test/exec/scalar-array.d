/* An array of scalars is one variable; an index outside it is a fault. */
#pragma D option quiet

int a[4];

BEGIN
{
	a[0] = 1;
	a[3] = 4;
	i = 2;
	a[i] = 9;
	printf("%d %d %d %d %d\n", a[0], a[1], a[2], a[3], a[i + 1]);
}

BEGIN
{
	i = 4;
	a[i] = 1;
}

ERROR
{
	printf("%d %d\n", arg4, arg5);
}
