/* A unary operator on an element declares an array that was never assigned: elements of int64_t. */
#pragma D option quiet

BEGIN
/!p["a"] && !self->p["a", 1]/
{
	printf("%d %d\n", -q[1], ~self->q[1] == -1);
	printf("%d %d\n", sizeof (p["a"]), sizeof (self->p["a", 1]));
}

BEGIN
{
	p["a"] = -1;
	self->p["a", 1] = 1 << 40;
	printf("%d %d\n", p["a"], self->p["a", 1]);
	exit(0);
}
