/* Integer keys print signed, and sort as unsigned numbers. */
#pragma D option quiet

#pragma D option aggsortkey

BEGIN
{
	@[1] = count();
	@[-1] = count();
	@[0] = count();
	@u[1ULL] = count();
	@u[-1ULL] = count();
	exit(0);
}
