/* Without a record there is no heading. */

BEGIN
{
	x = 1;
}
