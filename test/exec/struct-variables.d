/* Structures as globals: members assigned alone, whole assignment, nested, arrays inside. */
#pragma D option quiet

struct inner {
	int8_t x;
	uint16_t y;
};

struct outer {
	int id;
	struct inner in;
	uint32_t arr[4];
	char name[8];
};

struct outer a, b;
struct inner i;

BEGIN
{
	a.id = -1;
	a.in.x = 200;
	a.in.y = 70000;
	a.arr[0] = 10;
	a.arr[3] = -1;
	printf("%d %d %d %d %d %d\n", a.id, a.in.x, a.in.y, a.arr[0], a.arr[1], a.arr[3]);
	b = a;
	a.id = 5;
	i = b.in;
	printf("%d %d %d %d\n", b.id, b.arr[3], i.x, i.y);
	n = 3;
	printf("%d %d\n", b.arr[n], sizeof (struct outer));
	b.arr[n]++;
	b.in.x -= 200;
	printf("%d %d\n", b.arr[n], b.in.x);
	exit(0);
}
