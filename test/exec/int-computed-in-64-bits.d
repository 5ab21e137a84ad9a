/* Expressions are computed in 64 bits, whatever the operands' types. */
#pragma D option quiet

uint32_t u;
int32_t i;
uint8_t b;

BEGIN
{
	u = 0xffffffff;
	i = 0x7fffffff;
	b = 255;
	printf("%d %d\n", (uint64_t)(u + 1), (int64_t)(i + 1));
	printf("%d %d\n", (u + 1) / 2, b + 1 > b);
	printf("%d\n", (int64_t)(b * b * b * b * b));
	u = u + 1;
	printf("%d\n", u);
	exit(0);
}
