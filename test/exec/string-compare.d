/* Strings compare as in strcmp(3), with literals and with each other. */
#pragma D option quiet

BEGIN
{
	a = "alpha";
	b = "beta";
	c = "alpha";
	d = "alphabet";
	e = "";
	printf("%d%d%d%d%d%d\n", a == b, a != b, a < b, a <= b, a > b, a >= b);
	printf("%d%d%d%d%d%d\n", a == c, a != c, a < c, a <= c, a > c, a >= c);
	printf("%d%d%d%d%d%d\n", a == d, a != d, a < d, a <= d, a > d, a >= d);
	printf("%d%d%d%d%d%d\n", a == "alpha", a != "alpha", a < "alq", a <= "alp", a > "al",
	    a >= "z");
	printf("%d%d%d%d\n", "alpha" == a, "beta" < a, "aaa" < a, "" < a);
	printf("%d%d%d%d\n", e == "", e < a, a > e, e == e);
	printf("%d%d\n", "x" == "x", "x" < "w");
	exit(0);
}
