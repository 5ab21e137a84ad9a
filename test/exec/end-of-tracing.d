/* At the end comes an empty line, then the aggregations that were not printed before. */

BEGIN
{
	@shown["x"] = count();
	@kept["y"] = count();
	printa("%s", @shown);
}
