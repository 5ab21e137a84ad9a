/* In a format, plain conversions take the keys in order, and conversions with @ take the value. */
#pragma D option quiet

BEGIN
{
	@a["key", 255, -1] = sum(-300);
	printa("[%s] [%x] [%d] [%@d]\n", @a);
	printa("[%@8d] [%-6s] [%5d]\n", @a);
	printa("[%@x] only\n", @a);
	printa("%%\n", @a);
}
/* rows: printa */
