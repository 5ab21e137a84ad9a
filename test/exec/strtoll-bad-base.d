/* A base below 2 or above 36 is an illegal operation. */
BEGIN
{
	trace(strtoll("1", 37));
}

BEGIN
{
	this->base = 1;
	trace(strtoll("1", this->base));
}

BEGIN
{
	exit(0);
}
