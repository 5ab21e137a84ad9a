/* Assigning 0 frees the element: room for one is enough for many in turn. */
#pragma D option quiet
#pragma D option dynvarsize=64

BEGIN
{
	a[1] = 1;
	a[1] = 0;
	a[2] = 2;
	a[2]--;
	a[2]--;
	a[3] = 3;
	a[3] &= 4;
	a[4] = 4;
	printf("%d %d %d %d\n", a[1], a[2], a[3], a[4]);
	exit(0);
}
