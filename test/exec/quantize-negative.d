/* -1 is a bucket of its own, -2 and -3 share one; 0 is between. */
#pragma D option quiet

BEGIN
{
	@ = quantize(-1);
	@ = quantize(-2);
	@ = quantize(-3);
	@ = quantize(0);
	exit(0);
}
