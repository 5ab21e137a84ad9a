/* If the type of the result is unsigned the operands are divided as unsigned numbers. */
#pragma D option quiet

uint64_t u, v;
int64_t i;

BEGIN
{
	u = -7;
	v = 2;
	i = -7;
	printf("%d %d\n", u / v, u % v);
	printf("%d %d\n", u / 10, u % 10);
	printf("%d %d\n", i / v, u / 0x8000000000000000);
	exit(0);
}
