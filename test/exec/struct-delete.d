/* The constant 0 deletes a thread-local or an element of an array that is a structure. */
#pragma D option quiet
#pragma D option dynvarsize=80

struct st { int a; long b; };
self struct st s;
struct st a[int], other;
self struct st t[int];

BEGIN
{
	self->s.a = 1;
	a[1].b = 2;
	self->t[3].a = 4;
	printf("%d %d %d\n", self->s.a, a[1].b, self->t[3].a);
	self->s = 0;
	a[1] = NULL;
	self->t[3] = 0;
	printf("%d %d %d\n", self->s.a, a[1].b, self->t[3].a);
	a[2].a = 5;
	other = a[2];
	a[2] = 0;
	a[4] = other;
	printf("%d %d\n", a[2].a, a[4].a);
	exit(0);
}
