/* Records that do not fit into a speculation are dropped and counted, earlier ones stay. */
#pragma D option quiet
#pragma D option specsize=32

BEGIN
{
	s = speculation();
}

BEGIN
{
	speculate(s);
	printf("%d", 1);
}

BEGIN
{
	speculate(s);
	printf("%d", 2);
}

BEGIN
{
	speculate(s);
	printf("%d", 3);
}

BEGIN
{
	commit(s);
}

BEGIN
{
	exit(0);
}
/* rows: -xspecsize DTRACEDROP_SPEC */
