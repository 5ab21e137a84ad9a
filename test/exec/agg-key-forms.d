/* A key of another size is another key; keys of one size are equal in all statements. */
/* @there keys of several peers that have equal values are one */
#pragma D option quiet

int i;
long l;

BEGIN
{
	i = 7;
	l = 7;
	@[i] = count();
	@[l] = count();
	@[l] = count();
	@[i] = count();
	@[l] = count();
	@[(char)7] = count();
	exit(0);
}
