/* lquantize(x, 0, 30, 10): under 0, from 0, 10, 20, and 30 or more, of all 64 bits. */
#pragma D option quiet

BEGIN
{
	@ = lquantize(-1, 0, 30, 10);
	@ = lquantize(0, 0, 30, 10);
	@ = lquantize(9, 0, 30, 10);
	@ = lquantize(20, 0, 30, 10);
	@ = lquantize(29, 0, 30, 10);
	@ = lquantize(30, 0, 30, 10);
	@ = lquantize(0x100000005, 0, 30, 10);
	@ = lquantize(0xffffffff, 0, 30, 10);
	@ = lquantize(-4294967291, 0, 30, 10);
	@ = lquantize(0x7fffffffffffffff, 0, 30, 10);
	@ = lquantize(-0x7fffffffffffffff - 1, 0, 30, 10);
	@high = lquantize(0x7fffffffffffffff, -20, 30, 10);
	exit(0);
}
/* rows: @lquantize */
