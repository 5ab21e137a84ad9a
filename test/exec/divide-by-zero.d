/*
 * Division by 0 ends the clause, and its record is lost.  ERROR fires with the epid, the action, no
 * offset, the fault and 0; then comes the message.  Other clauses run.
 */
#pragma D option quiet

BEGIN
{
	zero = 0;
}

BEGIN
{
	bad = epid;
	printf("never printed %d\n", 1 / zero);
	after = 1;
}

BEGIN
{
	printf("next clause, after is %d\n", after);
	exit(0);
}

ERROR
{
	printf("%d %d %d %d %d\n", arg1 == bad, arg2, arg3, arg4, arg5);
	printf("%d\n", arg4 == DTRACEFLT_DIVZERO);
}
/* rows: DTRACEFLT_DIVZERO */
