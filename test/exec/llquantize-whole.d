/* The highest order can end beyond 64 bits: all values are in it. */
#pragma D option quiet

BEGIN
{
	@a = llquantize(0x7fffffffffffffff, 16, 14, 15, 16);
	@a = llquantize(0x1000000000000000, 16, 14, 15, 16);
	@a = llquantize(1, 16, 14, 15, 16);
	@a = llquantize(-1, 16, 14, 15, 16);
	@b = llquantize(0x7fffffffffffffff, 2, 61, 63, 2);
	@b = llquantize(0x2000000000000000, 2, 61, 63, 2);
	exit(0);
}
