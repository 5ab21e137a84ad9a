/* A bool is 1 if the value is not 0, whichever of its bits are set. */
#pragma D option quiet

bool b;
bool list[int];
struct pair { bool a; int b; } p;

BEGIN
{
	n = 256;
	b = 2;
	printf("%d", b);
	b = n;
	printf("%d", b);
	b = n - 256;
	printf("%d", b);
	list[1] = n;
	p.a = n;
	printf("%d%d", list[1], p.a);
	this->c = (bool)n;
	printf("%d", this->c);
	this->c = 0x10000;
	printf("%d", this->c);
	printf("%d%d%d\n", (bool)512, (bool)0, (int)(bool)7);
	s = (struct pair *)0x100000000;
	printf("%d%d\n", (bool)s, !(bool)s);
	exit(0);
}
