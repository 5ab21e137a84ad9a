/* x op= e reads x, then evaluates e, then writes x. */
#pragma D option quiet

int a[int];
int c[2];

BEGIN
{
	x = 7;
	x += (x++, 100);
	a[1] = 7;
	a[1] *= (a[1] = 50, 2);
	c[1] = 7;
	c[1] -= (c[1] = 50, 2);
	this->t = 7;
	this->t |= (this->t = 8, 16);
	self->s = 1;
	self->s <<= self->s = 3;
	printf("%d %d %d %d %d\n", x, a[1], c[1], this->t, self->s);
	exit(0);
}
/* @afar line 18: assigning a thread-local variable here */
