/* The condition is evaluated once: later changes of its operands do not change the branch. */
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
