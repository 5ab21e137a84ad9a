/* A pointer that a later clause sets is known everywhere to point into the array. */
/* @fire syscall::read:entry comm=a */
#pragma D option quiet

int a[3];
int *p;

syscall::read:entry
{
	a[0] = 1;
	x = *p;
	a[0] = 2;
	printf("%d %d\n", x, *p);
}

BEGIN
{
	p = a;
}
