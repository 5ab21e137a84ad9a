/* enumname() and %s: dense, sparse, negative and far enumerations, two names of a value, none. */
#pragma D option quiet
enum color { RED, GREEN = 5, LIME = 5, BLUE };
enum sparse { LOW = -70000, ZERO = 0, HIGH = 70000, NULL_ = 0 };
enum wide { MINUS = -1, BIG = 2000000000 };
enum color c;
enum sparse s;
enum wide w;
BEGIN
{
	c = 5;
	printf("%s %s %s %s\n", enumname(c), enumname((enum color)0), enumname((enum color)6), enumname((enum color)4));
	s = -70000;
	printf("%s %s %s\n", s, (enum sparse)0, (enum sparse)70000);
	printf("[%8s] [%-8s] %s\n", (enum sparse)1, (enum sparse)-70000, (enum sparse)-1);
	w = 2000000000;
	printf("%s %s %s\n", w, (enum wide)-1, (enum wide)7);
	@[enumname(c)] = count();
	exit(0);
}
END
{
	printa("%s %@d\n", @);
}
