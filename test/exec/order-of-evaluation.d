/* Operands are evaluated from the left; a read sees the assignments before it. */
#pragma D option quiet

BEGIN
{
	x = 1;
	y = x + (x = 5) + x;
	z = x++ + x++;
	printf("%d %d %d\n", x, y, z);
	arr[1] = 3;
	w = arr[1] + (arr[1] = 10) + arr[1];
	printf("%d\n", w);
	self->t = 2;
	v = self->t * (self->t = 7) - self->t;
	printf("%d\n", v);
	exit(0);
}
/* @afar line 14: assigning a thread-local variable here */
