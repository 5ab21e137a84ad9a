/* Rows are in the order of their sums: a value below the first bucket counts as the largest one there. */
#pragma D option quiet

BEGIN
{
	@["at the limit"] = llquantize(10, 10, 1, 2, 10);
	@["below"] = llquantize(-70, 10, 1, 2, 10);
	@["two below"] = llquantize(9, 10, 1, 2, 10);
	@["two below"] = llquantize(1, 10, 1, 2, 10);
	@["above"] = llquantize(20, 10, 1, 2, 10);
	exit(0);
}
