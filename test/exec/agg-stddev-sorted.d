/* Rows of stddev() are sorted by the deviation, not by the sums; a sum divided by 0 is not divided. */
#pragma D option quiet

BEGIN
{
	@["small"] = stddev(1000);
	@["small"] = stddev(1002);
	@["large"] = stddev(0);
	@["large"] = stddev(200);
	@["none"] = stddev(5000);
}
