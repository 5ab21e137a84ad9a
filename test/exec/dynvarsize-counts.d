/* An element takes its key and its value, strings at strsize, and 48 bytes.  rows: -xdynvarsize */
#pragma D option quiet
#pragma D option strsize=15
#pragma D option dynvarsize=640

BEGIN
{
	a[1] = 1; a[2] = 1; a[3] = 1; a[4] = 1; a[5] = 1;
	a[6] = 1; a[7] = 1; a[8] = 1; a[9] = 1; a[10] = 1;
	printf("%d %d\n", a[1], a[10]);
	s["1"] = 1; s["2"] = 1; s["3"] = 1; s["4"] = 1;
	s["5"] = 1; s["6"] = 1; s["7"] = 1; s["8"] = 1;
	printf("%d %d\n", s["1"], s["8"]);
}

BEGIN
{
	a[11] = 1;
	s["9"] = 1;
	printf("%d %d\n", a[11], s["9"]);
	exit(0);
}
