/* The definition of a member can contain conversions, and then gets the member's type. */
#pragma D option quiet

struct out {
	long wide;
	short narrow;
	string text;
};

int i;
uint16_t u;

translator struct out < int X > {
	wide = htons(X) & u;
	narrow = (u ^ X) + 65536;
	text = strjoin("n", htons(X) + i);
};

BEGIN
{
	i = 1;
	u = 0xff00;
	printf("%d %d %s\n", xlate <struct out> (i).wide, xlate <struct out> (i).narrow,
	    xlate <struct out> (i).text);
	exit(0);
}
