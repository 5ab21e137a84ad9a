/* A sum of 0, and one that became 0, are values like others. */
#pragma D option quiet

BEGIN
{
	@a["zero"] = sum(0);
	@a["back"] = sum(5);
	@a["back"] = sum(-5);
	@a["minus"] = sum(-1);
	printa("%s %@d\n", @a);
}
