/* values stored to an integer variable are cut to its type; rows: DIALECT_NARROW_STORES dialect */
#pragma D option quiet
#pragma D option dialect=oracle

int i;
char c;
self short s;
unsigned int u[int];

BEGIN
{
	i = 0x123456789a;
	c = 300;
	self->s = 40000;
	this->i = i;
	u[1] = 0x1ffffffff;
	printf("%d %d %d %d\n", i == 0x3456789a, c == 44, self->s == -25536, u[1] == 0xffffffff);
	i += 0x100000000;
	i++;
	c += 256;
	u[1]++;
	printf("%d %d %d\n", i == 0x3456789b, c == 44, u[1] == 0);
	exit(0);
}
