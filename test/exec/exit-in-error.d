/* exit() in an ERROR clause stops the clauses after the failed one. */
#pragma D option quiet

BEGIN
{
	zero = 0;
	x = 1 / zero;
}

BEGIN
{
	printf("never\n");
}

ERROR
{
	exit(1);
}
