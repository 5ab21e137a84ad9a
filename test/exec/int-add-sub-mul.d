/* + - * wrap at 64 bits. */
#pragma D option quiet

BEGIN
{
	top = 0x7fffffffffffffff;
	a = (int64_t)1000000007;
	b = (int64_t)-3;
	printf("%d %d %d\n", a + b, a - b, a * b);
	printf("%d %d\n", top + 1, -top - 2);
	printf("%x\n", 0xffffffffffffffff * 2);
	printf("%d\n", a * a * a);
	exit(0);
}
