/* Buckets of quantize(): powers of two, 0 alone, negative numbers mirrored. */
#pragma D option quiet

BEGIN
{
	@["positive"] = quantize(1);
	@["positive"] = quantize(2);
	@["positive"] = quantize(3);
	@["positive"] = quantize(4);
	@["positive"] = quantize(7);
	@["positive"] = quantize(8);
	exit(0);
}
/* rows: @quantize */
