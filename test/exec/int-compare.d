/* Comparisons are unsigned if the promoted type is unsigned. */
#pragma D option quiet

int64_t i;
uint64_t u;
int small;

BEGIN
{
	i = -1;
	u = 1;
	small = -5;
	printf("%d%d%d%d%d%d\n", i < 0, i <= -1, i > 0, i >= -1, i == -1, i != -1);
	printf("%d%d%d%d%d%d\n", i < u, i <= u, i > u, i >= u, i == u, i != u);
	printf("%d%d%d\n", small < i, small < 3, small > -6);
	printf("%d%d%d\n", 3 < 5, 5 < 3, -1 < 1);
	exit(0);
}
