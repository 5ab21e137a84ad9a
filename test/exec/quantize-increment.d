/* The second argument is the increment of a bucket; it can be negative. */
#pragma D option quiet

BEGIN
{
	@ = quantize(1, -3);
	@ = quantize(2, 5);
	@plus = quantize(4, 10);
	exit(0);
}
