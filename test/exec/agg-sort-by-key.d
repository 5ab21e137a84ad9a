/* aggsortkey: sort by key; aggsortkeypos: from that key on, around; aggsortrev: backwards. */
#pragma D option quiet
#pragma D option aggsortkey
#pragma D option aggsortkeypos=1
#pragma D option aggsortrev

BEGIN
{
	@a["m", 2] = sum(5);
	@a["m", 1] = sum(6);
	@a["a", 2] = sum(7);
	@a["z", 0] = sum(1);
	printa("%s %d %@d\n", @a);
}
/* rows: -xaggsortkey -xaggsortkeypos */
