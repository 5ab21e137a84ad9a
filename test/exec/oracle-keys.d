/* integer keys in the order of their sign; rows: DIALECT_SIGNED_KEYS -xdialect */
#pragma D option quiet
#pragma D option dialect=oracle

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
