/* ++ and op= evaluate the index or the keys of their operand once. */
#pragma D option quiet

int c[4], a[int];

BEGIN
{
	c[i++]++;
	c[i++] += 5;
	a[i++]++;
	a[i++] -= 3;
	printf("%d: %d %d %d %d\n", i, c[0], c[1], a[2], a[3]);
	exit(0);
}
