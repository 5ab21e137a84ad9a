/* Symbols that do not exist, allowed by options, are at address 0.  rows: -xknodefs -xunodefs */
#pragma D option quiet
#pragma D option knodefs
#pragma D option unodefs

extern long no_such_long;

BEGIN
{
	printf("%d %d\n", sizeof (`no_such), sizeof (no_such_long));
	printf("%d %d\n", &`no_such == NULL, &no_such_long == NULL);
}

BEGIN
{
	trace(`no_such);
}

BEGIN
{
	trace(no_such_long);
}

BEGIN
{
	trace(a.out``no_such);
}

BEGIN
{
	exit(0);
}

ERROR
{
	printf("%d %d\n", arg4, arg5);
}
