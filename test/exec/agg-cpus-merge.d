/* Each CPU aggregates alone; the output merges all of them. */
/* @fire syscall::read:entry cpu=0 arg2=10 */
/* @fire syscall::read:entry cpu=1 arg2=20 */
/* @fire syscall::read:entry cpu=3 arg2=60 */
/* @fire syscall::read:entry cpu=3 arg2=2 */
#pragma D option quiet

syscall::read:entry
{
	@c = count();
	@k["bytes"] = sum(arg2);
	@lo = min(arg2);
	@hi = max(arg2);
	@mean = avg(arg2);
	@dev = stddev(arg2);
	@q = quantize(arg2);
}

END
{
	printa("%@d ", @c);
	printa("%s=%@d ", @k);
	printa("%@d ", @lo);
	printa("%@d ", @hi);
	printa("%@d ", @mean);
	printa("%@d", @dev);
	printa(@q);
}
