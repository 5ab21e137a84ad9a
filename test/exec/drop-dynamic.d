/* No room for another element: the assignment has no effect; replacing one needs none. */
#pragma D option quiet
#pragma D option dynvarsize=64

BEGIN
{
	a[1] = 1;
	a[2] = 2;
	a[3] = 3;
	a[1] = 4;
	printf("%d %d %d\n", a[1], a[2], a[3]);
}
/* rows: DTRACEDROP_DYNAMIC -xdynvarsize */
