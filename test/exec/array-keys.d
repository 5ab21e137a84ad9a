/* Keys of several types, all of which count; strings up to their NUL. */
#pragma D option quiet

int t[int, string, uint8_t];
int wide[int];
uint16_t low;
uint16_t high;

BEGIN
{
	a["one"] = 1;
	a["on"] = 2;
	a[strjoin("o", "n")]++;
	printf("%d %d %d\n", a["one"], a["on"], a["o"]);
	t[1, "x", 2] = 10;
	t[-1, "x", 2] = 20;
	t[1, "y", 2] = 30;
	t[1, "x", 3] = 40;
	printf("%d %d %d %d %d\n", t[1, "x", 2], t[-1, "x", 2], t[1, "y", 2], t[1, "x", 3],
	    t[1, "", 2]);
	t[1, "x", 258] = 50;
	printf("%d\n", t[1, "x", 2]);
	name = "long string in a variable";
	a[name] = 7;
	name = "short";
	a[name] = 8;
	printf("%d %d\n", a["long string in a variable"], a["short"]);
	b[pid, execname] = tid;
	printf("%d\n", b[pid, execname] == tid);
	high = 1;
	wide[low - high] = 9;
	printf("%d %d\n", wide[-1], wide[65535]);
	exit(0);
}
