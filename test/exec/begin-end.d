/* Values that BEGIN assigned are there in END; both are probes without a function. */
BEGIN
{
	i = 41;
	trace("hello");
}

END
{
	trace(i + 1);
}
