/* stddev of numbers whose squares have more than 64 bits. */
#pragma D option quiet

BEGIN
{
	@a = stddev(0x7fffffffffffff);
	@a = stddev(0x7fffffffffffff);
	@b = stddev(0x10080000000);
	@b = stddev(-0x10080000000);
	@c = stddev(0x7fffffff80000000);
	printa("%@d %@d\n", @a, @b);
	printa("%@d\n", @c);
	exit(0);
}
/* rows: @stddev */
