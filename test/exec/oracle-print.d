/* print() of a pointer: its target; rows: DIALECT_PRINT_POINTED dialect -xdialect */
#pragma D option quiet
#pragma D option dialect=oracle

enum color { RED, BLUE };
struct point {
	int x;
	unsigned int y;
};
struct all {
	char c;
	char name[4];
	struct point at;
	struct point path[2];
	enum color color;
	int *p;
	int zero, low : 3, : 2, high : 3;
};
/* @mem kernel 0xffff888000001000 ff ff ff ff 02 00 00 00 */
/* @mem kernel 0xffff888000002000 00 61 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 10 00 00 00 00 00 00 00 00 00 00 00 c0 00 00 00 */

BEGIN
{
	print((struct point *)0xffff888000001000);
	print((int *)0xffff888000001000);
	print((char *)0xffff888000001000);
	print((struct all *)0xffff888000002000);
	exit(0);
}
/* @afar line 24: print() */
