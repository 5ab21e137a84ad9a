/* Records are sorted by value, equal ones by their keys, the first key first. */
#pragma D option quiet

BEGIN
{
	@a["m", 2] = sum(5);
	@a["m", 1] = sum(5);
	@a["a", 9] = sum(5);
	@a["z", 0] = sum(1);
	@a["b", 0] = sum(-4);
	@a["c", 0] = sum(100);
	printa("%s %d %@d\n", @a);
}
