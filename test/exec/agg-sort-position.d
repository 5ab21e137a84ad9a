/* aggsortpos: which of several aggregations sorts the rows; beyond the last it is the first. */
#pragma D option quiet

BEGIN
{
	@a["x"] = sum(1);
	@b["x"] = sum(9);
	@a["y"] = sum(2);
	@b["y"] = sum(5);
	printa("%s %@d %@d\n", @a, @b);
	setopt("aggsortpos", "1");
	printa("%s %@d %@d\n", @a, @b);
	setopt("aggsortpos", "7");
	printa("%s %@d %@d\n", @a, @b);
	setopt("aggsortrev");
	printa("%s %@d %@d\n", @a, @b);
	exit(0);
}
/* rows: -xaggsortpos -xaggsortrev */
