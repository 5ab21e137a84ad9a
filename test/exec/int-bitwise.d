/* & | ^ ~ work on all bits. */
#pragma D option quiet

BEGIN
{
	a = 0xf0f0f0f0f0f0f0f0;
	b = 0xff00ff00ff00ff00;
	printf("%x %x %x\n", a & b, a | b, a ^ b);
	printf("%x %d\n", ~a, ~0);
	printf("%d %d\n", 6 & 3 | 8, 5 ^ 1 & 3);
	exit(0);
}
