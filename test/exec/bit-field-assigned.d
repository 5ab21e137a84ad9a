/* The value of an assignment to a bit-field is the bit-field's new value. */
#pragma D option quiet

struct s {
	unsigned int a : 3;
	int b : 3;
	char c : 2;
} v;

BEGIN
{
	printf("%d %d\n", v.a = 9, v.b = 7);
	x = v.a += 7;
	printf("%d %d\n", x, v.a);
	printf("%d %d %d\n", ++v.a, v.a--, --v.a);
	v.a = 0;
	v.b = 3;
	v.c = 1;
	printf("%d %d %d %d\n", --v.a, ++v.b, v.c++, v.c);
	exit(0);
}
