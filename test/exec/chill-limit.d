/* chill() of more than half a second is a fault, and so is more than that in one second. */
#pragma D option quiet
#pragma D option destructive

BEGIN
{
	chill(500000001);
	printf("not reached\n");
}

BEGIN
{
	chill(0);
	printf("no time\n");
}

ERROR
{
	printf("fault %d\n", arg4);
}
