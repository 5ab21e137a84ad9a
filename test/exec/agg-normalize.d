/* normalize() divides the printed values of all present keys, also their later values;
   denormalize() ends that. */
/* @fire syscall::read:entry */
#pragma D option quiet

BEGIN
{
	@a["x"] = sum(1000);
	@a["y"] = sum(-2500);
	@avg = avg(10);
	@avg = avg(21);
	normalize(@a, 100);
	normalize(@avg, 2);
	printa("%s %@d\n", @a);
	printa("%@d\n", @avg);
}

syscall::read:entry
{
	@a["x"] = sum(500);
	@a["new"] = sum(7000);
	printa("%s %@d\n", @a);
	denormalize(@a);
	printa("%s %@d\n", @a);
}
/* rows: normalize denormalize */
