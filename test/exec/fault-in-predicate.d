/* A fault in a predicate is reported as such; ERROR gets action 0. */
#pragma D option quiet

BEGIN
{
	zero = 0;
}

BEGIN
/10 / zero/
{
	printf("never\n");
}

ERROR
{
	printf("action %d fault %d\n", arg2, arg4);
}

END
{
	printf("end\n");
}
