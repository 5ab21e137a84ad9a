/* min and max of the largest and smallest numbers, of 0 alone, and of one sign only. */
#pragma D option quiet

BEGIN
{
	@a["both"] = max((int64_t)0x8000000000000000);
	@a["both"] = max(0x7fffffffffffffff);
	@a["zero"] = max(0);
	@a["negative"] = max(-5);
	@a["negative"] = max(-3);
	@b["both"] = min((int64_t)0x8000000000000000);
	@b["both"] = min(0x7fffffffffffffff);
	@b["zero"] = min(0);
	@b["positive"] = min(9);
	@b["positive"] = min(4);
	printa("%s %@d\n", @a);
	printa("%s %@d\n", @b);
}
