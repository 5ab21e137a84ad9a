/* aggsortrev: at the end the aggregations themselves are printed in reverse order, too. */
#pragma D option quiet
#pragma D option aggsortrev

BEGIN
{
	@first["a"] = sum(1);
	@first["b"] = sum(2);
	@second["c"] = sum(3);
	exit(0);
}
/* rows: -xaggsortrev */
