/* A precision of 0 counts as none. */
#pragma D option quiet

BEGIN
{
	n = 0;
	printf("%.0s %.*s %.2s|", "text", n, "more", "cut");
	printf("%.0d|", 0);
	exit(0);
}
