/* At the end comes an empty line, then what was not printed; printed aggregations are not repeated. */

BEGIN
{
	@shown["x"] = count();
	@kept["y"] = count();
	printa("%s", @shown);
}
