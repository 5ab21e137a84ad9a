/* Integers are compared in their common type: unsigned only if that type is. */
#pragma D option quiet

uint8_t b;
uint32_t u;
uint64_t w;
int i;
long l;

BEGIN
{
	b = 5;
	u = 5;
	w = 5;
	i = -1;
	l = -1;
	printf("%d %d %d\n", b > i, b >= -32768, i < b);
	printf("%d %d\n", u > i, i < u);
	printf("%d %d\n", u > l, l < u);
	printf("%d %d\n", w > l, l < w);
	exit(0);
}
