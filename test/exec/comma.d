/* A comma evaluates both sides, from the left; its value is the right one. */
#pragma D option quiet

BEGIN
{
	x = (a = 3, a + 1);
	y = (a++, a++, a);
	printf("%d %d %d\n", x, y, a);
	exit(0);
}
