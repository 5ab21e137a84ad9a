/* A translated object assigned to a variable becomes a structure with all members. */
#pragma D option quiet

struct pair {
	int a;
	int b;
};

struct named {
	int64_t total;
	uint8_t low;
	string text;
};

translator struct named < struct pair P > {
	total = P.a * 10;
	low = P.b;
	text = "made";
};

struct pair p;

BEGIN
{
	p.a = 7;
	p.b = 257;
	n = xlate <struct named> (p);
	p.a = 0;
	printf("%d %d %s\n", n.total, n.low, n.text);
	exit(0);
}
