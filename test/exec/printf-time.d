/* %Y and %T print nanoseconds since 1970. */
#pragma D option quiet

BEGIN
{
	t = 1793862489000000000;
	printf("[%Y] [%T]\n", t, t);
	printf("[%Y]\n", (uint64_t)0);
	exit(0);
}
/* rows: %Y %T */
