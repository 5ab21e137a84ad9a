/* && and || evaluate the right side only if it matters; ^^ evaluates both. */
#pragma D option quiet

BEGIN
{
	zero = 0;
	one = 5;
	n = 0;
	printf("%d", zero && ++n);
	printf("%d", one || ++n);
	printf(" %d\n", n);
	printf("%d", one && ++n);
	printf("%d", zero || ++n);
	printf(" %d\n", n);
	printf("%d", one ^^ ++n);
	printf("%d", zero ^^ ++n);
	printf(" %d\n", n);
	printf("%d%d%d\n", !zero, !one, !!one);
	printf("%d%d\n", zero && 1 / zero, one || 1 / zero);
	exit(0);
}
