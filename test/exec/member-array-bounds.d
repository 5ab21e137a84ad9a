/*
 * An array inside a structure variable has bounds, too.  Taking the address of the element after
 * the last is no access.
 */
#pragma D option quiet

struct s {
	int8_t a[4];
	int after;
};

struct s v;

BEGIN
{
	v.a[3] = 1;
	m = 4;
	v.a[m] = 1;
}

BEGIN
{
	n = 7;
	v.a[n] = 1;
}

BEGIN
{
	trace(v.a[n]);
}

BEGIN
{
	printf("%d\n", &v.a[4] - &v.a[0]);
	printf("%d %d\n", v.a[3], v.after);
	exit(0);
}
