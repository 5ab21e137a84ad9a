/* A string can be the source of bcopy(). */
#pragma D option quiet

string g;

BEGIN
{
	g = "world";
	p = (char *)alloca(8);
	bcopy("hello", p, 6);
	printf("%s ", stringof(p));
	bcopy(g, p, 6);
	printf("%s ", stringof(p));
	bcopy(strjoin("a", "b"), p, 3);
	printf("%s\n", stringof(p));
	exit(0);
}
