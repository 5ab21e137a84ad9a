/* A string longer than the column pushes the rest to the right. */

BEGIN
{
	trace("0123456789012345678901234567890123456789");
	trace(1);
	exit(0);
}
