/* llquantize() counts values below 0 in the first bucket: same program as oracle-llquantize.d. */
#pragma D option quiet

BEGIN
{
	@edges = llquantize(-100, 10, 1, 1, 5);
	@edges = llquantize(-99, 10, 1, 1, 5);
	@edges = llquantize(-20, 10, 1, 1, 5);
	@edges = llquantize(-19, 10, 1, 1, 5);
	@edges = llquantize(-10, 10, 1, 1, 5);
	@edges = llquantize(-9, 10, 1, 1, 5);
	@edges = llquantize(9, 10, 1, 1, 5);
	@edges = llquantize(10, 10, 1, 1, 5);
	@edges = llquantize(19, 10, 1, 1, 5);
	@edges = llquantize(20, 10, 1, 1, 5);
	@edges = llquantize(0x8000000000000000, 10, 1, 1, 5);
	@positive = llquantize(5, 10, 1, 1, 10);
	@positive = llquantize(10, 10, 1, 1, 10);
	@zero = llquantize(0, 10, 0, 0, 10);
	@largest = llquantize(0x8000000000000000, 2, 63, 63, 2);
	@largest = llquantize(0x7fffffffffffffff, 2, 63, 63, 2);
	@sums["a"] = llquantize(-50, 10, 0, 2, 10);
	@sums["b"] = llquantize(-500, 10, 0, 2, 10);
	@empty = llquantize(1, 10, 0, 1, 10, 0);
	exit(0);
}
