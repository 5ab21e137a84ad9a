/* A pointer to string steps over whole strings. */
#pragma D option quiet

string *p;

BEGIN
{
	p = (string *)0x1000;
	printf("%x %x %x\n", (long)(p + 1), (long)&p[1], (long)++p);
	p -= 2;
	printf("%x %d\n", (long)p, (string *)1024 - (string *)0);
	exit(0);
}
/* @afar line 9: writing to memory */
