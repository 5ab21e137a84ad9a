/* printa() of several aggregations joins them by key; missing values are 0. */
#pragma D option quiet

BEGIN
{
	@n["a"] = count();
	@n["b"] = count();
	@n["b"] = count();
	@s["b"] = sum(50);
	@s["c"] = sum(70);
	printa("%s %@d %@d\n", @n, @s);
	printa(@n, @s);
}
