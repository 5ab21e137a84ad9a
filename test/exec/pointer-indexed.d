/* A store through an indexed pointer goes to the memory that it points to. */
#pragma D option quiet

int n[3];
int *p;

BEGIN
{
	p = &n[0];
	p[1] = 7;
	if (n[1] == 7)
		p[2] += 2;
	printf("%d %d\n", n[1], n[2]);
	exit(0);
}
/* @afar line 10: writing to memory */
