/* Thread-local strings of any size. */
#pragma D option quiet
#pragma D option strsize=64k

BEGIN
{
	self->x = strjoin("a", "b");
	self->y = "c";
	self->n = 5;
}

BEGIN
{
	printf("%s %s %d\n", self->x, self->y, self->n);
	self->x = 0;
	printf("%d\n", self->x == NULL);
	exit(0);
}
