/* speculate() alone records that the probe fired. */
BEGIN
{
	s = speculation();
}

BEGIN
{
	speculate(s);
}

BEGIN
{
	commit(s);
}

END
{
	speculate(s);
	trace("never");
}
