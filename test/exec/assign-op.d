/* All op= forms; the value of an assignment is the stored value. */
#pragma D option quiet

uint8_t b;

BEGIN
{
	x = 100;
	x += 10;
	x -= 5;
	x *= 3;
	printf("%d ", x);
	x /= 2;
	printf("%d ", x);
	x %= 50;
	printf("%d ", x);
	x <<= 4;
	x >>= 1;
	printf("%d ", x);
	x |= 7;
	x &= 0xfd;
	x ^= 0xff;
	printf("%d\n", x);
	printf("%d %d\n", b = 260, b);
	y = z = 9;
	printf("%d %d\n", y, z);
	exit(0);
}
