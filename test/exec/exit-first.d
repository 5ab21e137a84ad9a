/* Among several calls of exit() the first counts, until END. */
#pragma D option quiet

BEGIN
{
	trace(*(int *)8);
}

ERROR
{
	exit(3);
}

ERROR
{
	exit(4);
}
