/* Integers narrower than int keep their values in comparisons, as in C. */
#pragma D option quiet

char c;
unsigned char u;
short s;
unsigned short w;

BEGIN
{
	c = -1;
	u = 255;
	s = -1;
	w = 65535;
	printf("%d %d %d %d\n", c == u, c != u, s == w, c == s);
	printf("%d %d\n", w == u, u == 255);
	exit(0);
}
