/* Tens of thousands of steps, with a key and without. */
#pragma D option quiet

BEGIN
{
	@a = lquantize(5, 0, 60000, 1);
	@a = lquantize(7, 0, 60000, 1);
	@b["key"] = lquantize(-3, 0, 60000, 1);
	exit(0);
}
