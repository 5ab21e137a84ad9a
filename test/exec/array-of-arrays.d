/* The elements of an associative array can be arrays. */
#pragma D option quiet

int x[int][4];

BEGIN
{
	x[1][2] = 3;
	x[1][0] = 1;
	x[2][3] = 4;
	printf("%d %d %d %d\n", x[1][2], x[1][0], x[2][3], x[2][2]);
	exit(0);
}
