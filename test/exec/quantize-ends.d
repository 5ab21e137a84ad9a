/* The last bucket has all values from 2^62 on, the first all down from -2^62. */
#pragma D option quiet

BEGIN
{
	@hi = quantize(0x7fffffffffffffff);
	@hi = quantize(0x4000000000000000);
	@hi = quantize(0x3fffffffffffffff);
	@lo = quantize((int64_t)0x8000000000000000);
	@lo = quantize(-0x4000000000000000);
	@lo = quantize(-0x3fffffffffffffff);
	exit(0);
}
