/* A base outside 2 to 36 is an illegal operation. */
#pragma D option quiet

BEGIN
{
	base = 37;
	trace(lltostr(1, base));
}

BEGIN
{
	base = 1;
	trace(lltostr(1, base));
}

ERROR
{
	printf("%d\n", arg4);
}
/* rows: DTRACEFLT_ILLOP */
