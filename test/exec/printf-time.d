/* %Y and %T print nanoseconds since 1970, or before it. */
#pragma D option quiet

BEGIN
{
	t = 1793862489000000000;
	printf("[%Y] [%T]\n", t, t);
	printf("[%Y]\n", (uint64_t)0);
	printf("[%Y] [%Y] [%T]\n", (int64_t)-1, (int64_t)-1000000000, (int64_t)-1000000001);
	exit(0);
}
/* rows: %Y %T */
