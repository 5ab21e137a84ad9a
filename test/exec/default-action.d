/* An empty clause prints its line; a clause that records nothing prints none. */

BEGIN
{
}

BEGIN
{
	x = 1;
	@a[1] = count();
}

BEGIN
/x == 2/
{
}

END
{
}
