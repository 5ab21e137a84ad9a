/* Structures of many pages: a missing element or thread-local reads as zeros to its end. */
#pragma D option quiet

struct large {
	char text[20000];
	int last;
};
struct large a[int], copy;
self struct large s;

BEGIN
{
	copy.last = 1;
	copy.text[19999] = 'x';
	copy = a[1];
	printf("%d %d\n", copy.last, copy.text[19999]);
	copy.last = 2;
	copy = self->s;
	printf("%d\n", copy.last);
	a[1].last = 3;
	self->s.last = 4;
	copy = a[1];
	printf("%d %d %d %d\n", copy.last, copy.text[19999], a[2].last, self->s.last);
	exit(0);
}
