/* stats(): count, average, total; sorted by the total, which normalize() divides. */
#pragma D option quiet

int64_t v;

BEGIN
{
	v = -10;
	@["a"] = stats(v);
	@["b"] = stats(7);
	@one = stats(1);
}

BEGIN
{
	v = 4;
	@["a"] = stats(v);
	@["c"] = stats(-20);
}

END
{
	printa(@);
	normalize(@, 2);
	printa("%s%@d\n", @);
	printa("%@d|\n", @one);
}
/* rows: @stats */
