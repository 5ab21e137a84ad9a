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
	b = 0; b |= 256; printf("%d", b);
	b = 0; b += 512; printf("%d", b);
	b = 1; printf("%d%d", b++, b);
	b = 0; printf("%d%d", --b, b);
	p.a = 1; p.a ^= 1; printf("%d", p.a);
	p.a = 1; p.a <<= 9; printf("%d\n", p.a);
	exit(0);
}
