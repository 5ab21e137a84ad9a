/* A fault inside an ERROR clause does not recurse; it is counted. */
#pragma D option quiet

BEGIN
{
	zero = 0;
	x = 1 / zero;
}

ERROR
{
	printf("one\n");
}

ERROR
{
	printf("never %d\n", 1 / zero);
}
/* rows: DTRACEDROP_DBLERROR */
