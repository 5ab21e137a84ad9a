/* Bit-fields without a name are padding, members without one are not.  rows: print */
#pragma D option quiet

struct padded { int a:3; int :2; int b:3; union { int i; char c[4]; }; };
struct padded p;

BEGIN
{
	p.a = 1;
	p.b = 2;
	p.i = 65;
	print(p);
	exit(0);
}
