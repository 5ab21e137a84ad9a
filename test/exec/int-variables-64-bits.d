/*
 * Integer variables keep 64 bits whatever their declared type: globals, thread-locals,
 * clause-locals, elements of associative arrays.  A cast makes them narrow.
 */
/* @begin time=0x123456789abc */
#pragma D option quiet

int g;
uint8_t u8;
self int s;
this int t;
int a[int];
enum e { ONE = 1 } en;

BEGIN
{
	g = timestamp;
	self->s = g + 1;
	this->t = self->s + 1;
	a[0] = this->t + 1;
	en = timestamp;
	u8 = -1;
	printf("%d %d %d %d %d\n", timestamp - g, self->s - g, this->t - g, a[0] - g, en == g);
	printf("%d %d %d\n", g == 0x123456789abc, u8 == -1, g > 0xffffffff);
	printf("%d %d %d\n", (int)g == g, (int)g == 0x56789abc, (uint8_t)u8);
}

BEGIN
{
	u8 = 255;
	u8++;
	printf("%d %d %d\n", u8 == 256, u8++ == 256, --u8 == 256);
	u8 += 0x100000000;
	printf("%d %d\n", u8 == 0x100000100, (u8 <<= 8) == 0x10000010000);
	printf("%d %x\n", (g ? g : 0) == 0x123456789abc, g);
	printf("%d\n", ((u8 = 0x1ff) + 0) == 0x1ff);
	@ = sum(g);
	printa("%@d\n", @);
	exit(0);
}
