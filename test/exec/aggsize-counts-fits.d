/* A row takes its keys, strings at strsize, and its value: 264 bytes.  rows: -xaggsize */
#pragma D option quiet
#pragma D option aggsize=264

BEGIN
{
	@s["x"] = count();
	exit(0);
}
