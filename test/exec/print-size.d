/* printsize: the most that print() shows of a value.  rows: -xprintsize */
#pragma D option quiet
#pragma D option printsize=9

struct pair {
	int a;
	long b;
	char c[4];
};
struct pair p;

BEGIN
{
	p.a = 1;
	p.b = 2;
	print(p);
	print("0123456789");
	print(3);
	exit(0);
}
