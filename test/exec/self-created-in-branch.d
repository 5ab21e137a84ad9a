/* A thread's variables that a branch brought into being are seen behind it. */
#pragma D option quiet

self int x, y;
int yes;

BEGIN
{
	yes = 1;
	before = self->x;
	after = yes ? (self->y += 7) : 0;
	printf("%d %d %d\n", before, after, self->y);
	exit(0);
}
/* @afar line 11: assigning a thread-local variable here */
