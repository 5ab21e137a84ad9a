/* aggsortpos, aggsortkeypos: a position that does not exist means the first. */
#pragma D option quiet
#pragma D option aggsortpos=3

BEGIN
{
	@a["x"] = sum(1);
	@a["y"] = sum(2);
	@b["x"] = sum(4);
	@b["y"] = sum(3);
	printa("%s %@d %@d\n", @a, @b);
	@k["m", 2] = sum(5);
	@k["n", 1] = sum(5);
	setopt("aggsortkey");
	setopt("aggsortkeypos", "3");
	printa("%s %d %@d\n", @k);
	exit(0);
}
