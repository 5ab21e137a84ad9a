/* Keys in columns, values after them; all aggregations that were not printed, at the end. */
#pragma D option quiet

uint8_t small;
int64_t wide;

BEGIN
{
	small = 7;
	wide = -12;
	@first["string", 5] = count();
	@second[wide, small] = sum(99);
	@third = count();
	@printed = count();
	printa("%@d\n", @printed);
	exit(0);
}
