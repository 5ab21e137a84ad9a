/* The result of a shift has the type of the left operand, which decides about >>. */
#pragma D option quiet

int64_t i;
uint64_t u;
int n;

BEGIN
{
	i = -256;
	u = -256;
	n = 4;
	printf("%d %x %d\n", i >> n, u >> n, i << n);
	printf("%d %d %d\n", 1 << 10, -1 >> 3, 1 << 62);
	printf("%x %x\n", (uint64_t)1 << 63, u >> 63);
	exit(0);
}
