/* Signed division rounds towards 0; the remainder has the sign of the dividend. */
#pragma D option quiet

BEGIN
{
	a = 7;
	b = 2;
	printf("%d %d %d %d\n", a / b, -a / b, a / -b, -a / -b);
	printf("%d %d %d %d\n", a % b, -a % b, a % -b, -a % -b);
	printf("%d %d %d\n", -7 / 2, -7 % 2, 100 / -7);
	c = -1000000000000;
	printf("%d %d %d\n", c / 7, c % 7, c / 1024);
	exit(0);
}
