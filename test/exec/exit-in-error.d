/* exit() in an ERROR clause stops what follows the clause that failed. */
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
