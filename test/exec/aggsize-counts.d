/* A row takes its keys, strings at strsize, and its value: 264 bytes of @s and @e.  rows: -xaggsize */
#pragma D option quiet
#pragma D option aggsize=263

BEGIN
{
	@s["x"] = count();
	@e[execname] = count();
	@i[1] = count();
	exit(0);
}
