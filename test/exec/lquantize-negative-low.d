/* A lower bound below 0, the default step, and an upper bound that the steps do not reach. */
#pragma D option quiet

BEGIN
{
	@one = lquantize(-2, -2, 1);
	@one = lquantize(0, -2, 1);
	@short = lquantize(8, -3, 10, 5);
	@short = lquantize(6, -3, 10, 5);
	exit(0);
}
