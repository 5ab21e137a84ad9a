/* The condition is evaluated once: changing what it read does not change the way. */
#pragma D option quiet

BEGIN
{
	x = 1;
	if (x) {
		x = 0;
		printf("then ");
		y = 5;
	} else {
		printf("else ");
	}
	printf("%d %d\n", x, y);
	exit(0);
}
