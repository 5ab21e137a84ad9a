/* Records of a speculation are printed when it is committed, at that place, or never. */
#pragma D option quiet
#pragma D option nspec=2

BEGIN
{
	s = speculation();
	t = speculation();
	printf("%d %d %d\n", s, t, speculation());
}

BEGIN
{
	speculate(s);
	printf("first of s\n");
}

BEGIN
{
	speculate(t);
	printf("of t\n");
}

BEGIN
{
	speculate(0);
	printf("of none\n");
}

BEGIN
{
	speculate(s);
	this->ran = 1;
	printf("second of s\n");
}

BEGIN
{
	printf("before the commit\n");
}

BEGIN
{
	commit(s);
	discard(t);
}

/* They are free: the next use has nothing of the last one. */
BEGIN
{
	commit(t);
}

BEGIN
{
	u = speculation();
	v = speculation();
	printf("again %d %d\n", u > 0, v > 0 && v != u);
}

BEGIN
{
	speculate(v);
	printf("of v\n");
}

BEGIN
{
	commit(u);
}

BEGIN
{
	commit(v);
}

BEGIN
{
	exit(0);
}
/* rows: speculate commit discard -xnspec DTRACEDROP_SPECUNAVAIL */
