/* Thread-locals that a branch has created are visible after it. */
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
