/* printsize limits the output of print(). */
#pragma D option quiet
#pragma D option dialect=oracle
#pragma D option printsize=4

struct point {
	int x, y;
};

/* @mem kernel 0xffff888000001000 ff ff ff ff 02 00 00 00 */

BEGIN
{
	print((struct point *)0xffff888000001000);
	exit(0);
}
/* @afar line 14: print() */
