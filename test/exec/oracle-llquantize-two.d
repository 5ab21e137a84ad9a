/* The label of the middle bucket is a number only if the bucket has one value. */
#pragma D option quiet
#pragma D option dialect=oracle

BEGIN
{
	@up = llquantize(1, 2, 1, 4, 2);
	@up = llquantize(2, 2, 1, 4, 2);
	@both = llquantize(-3, 2, 1, 4, 2);
	@both = llquantize(0, 2, 1, 4, 2);
	@both = llquantize(5, 2, 1, 4, 2);
	@one = llquantize(0, 2, 0, 4, 2);
	@one = llquantize(1, 2, 0, 4, 2);
	exit(0);
}
