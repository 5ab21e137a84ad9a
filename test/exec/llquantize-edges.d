/* llquantize(x, 10, 0, 2, 10): steps of 1, 10 and 100, under 1 and 1000 or more. */
#pragma D option quiet

BEGIN
{
	@a = llquantize(0, 10, 0, 2, 10);
	@a = llquantize(-7, 10, 0, 2, 10);
	@a = llquantize(1, 10, 0, 2, 10);
	@b = llquantize(9, 10, 0, 2, 10);
	@b = llquantize(10, 10, 0, 2, 10);
	@b = llquantize(19, 10, 0, 2, 10);
	@c = llquantize(99, 10, 0, 2, 10);
	@c = llquantize(100, 10, 0, 2, 10);
	@d = llquantize(999, 10, 0, 2, 10);
	@d = llquantize(1000, 10, 0, 2, 10, 3);
	exit(0);
}
/* rows: @llquantize */
