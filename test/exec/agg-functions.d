/* count, sum, avg, min, max, stddev of positive and negative values. */
#pragma D option quiet

int64_t v;

BEGIN
{
	v = -10;
	@c = count();
	@s = sum(v);
	@a = avg(v);
	@mi = min(v);
	@ma = max(v);
	@sd = stddev(v);
}

BEGIN
{
	v = 3;
	@c = count();
	@s = sum(v);
	@a = avg(v);
	@mi = min(v);
	@ma = max(v);
	@sd = stddev(v);
}

BEGIN
{
	v = 1;
	@c = count();
	@s = sum(v);
	@a = avg(v);
	@mi = min(v);
	@ma = max(v);
	@sd = stddev(v);
}

END
{
	printa("%@d ", @c);
	printa("%@d ", @s);
	printa("%@d ", @a);
	printa("%@d ", @mi);
	printa("%@d ", @ma);
	printa("%@d\n", @sd);
}
/* rows: @count @sum @avg @min @max @stddev */
