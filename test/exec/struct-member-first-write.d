/* Writing a member creates the thread-local structure or the element that contains it. */
#pragma D option quiet

struct s {
	int a;
	int b[4];
	string t;
};

self struct s v;
struct s arr[int], w;

BEGIN
{
	self->v.b[2] += 7;
	printf("%d %d\n", self->v.a, self->v.b[2]);
	arr[1].a = 5;
	arr[1].b[3]++;
	arr[2].t = "text";
	printf("%d %d %d %s\n", arr[1].a, arr[1].b[3], arr[2].a, arr[2].t);
	w.b[1] = 3;
	arr[1] = w;
	arr[1].a--;
	printf("%d %d %d\n", arr[1].a, arr[1].b[1], arr[1].b[3]);
}

END
{
	printf("%d %d\n", self->v.b[2], arr[1].b[1]);
}
