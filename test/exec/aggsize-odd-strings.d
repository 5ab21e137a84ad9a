/* A string key takes strsize bytes, in units of 8: 264 of @s, and 8 for its value. */
#pragma D option quiet
#pragma D option strsize=257
#pragma D option aggsize=271

BEGIN
{
	@s["x"] = count();
	@i[1] = count();
}
