/* Operands of different types are not converted to each other: they and results have 64 bits. */
#pragma D option quiet

uint32_t u;
int i;
long a[long];

BEGIN
{
	u = 21;
	i = -2;
	printf("%d %d %d\n", i + u == 19, u - 22 == -1, u - 22);
	printf("%d %d\n", 21u - 22 == -1, -1L < 1u);
	a[i + u] = 3;
	printf("%d\n", a[19]);
	@ = sum(i + u);
	u = 4294967295;
	i = -1;
	printf("%d %d %d\n", u == i, u > i, -1 == 0xffffffff);
	printf("%d %d\n", (u ? i : u) == -1, u ? i : u);
	exit(0);
}
