/* ^^ evaluates both sides, the left one first: its effects stay although the right one faults. */
#pragma D option quiet

BEGIN
{
	zero = 0;
	n = 0;
}

BEGIN
{
	bad = n++ ^^ 1 % zero;
}

END
{
	printf("%d\n", n);
}
