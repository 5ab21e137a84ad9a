/* An element that was never assigned reads as 0, and reading does not create it. */
#pragma D option quiet
#pragma D option dynvarsize=64

BEGIN
{
	a[1] = 5;
	printf("%d %d %d %d\n", a[1], a[2], a[3], a[-1]);
	a[1] = 0;
	a[2] = 6;
	printf("%d %d\n", a[1], a[2]);
	exit(0);
}
