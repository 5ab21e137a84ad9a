/* Only the chosen branch of ?: is evaluated; it groups from the right. */
#pragma D option quiet

BEGIN
{
	n = 0;
	zero = 0;
	printf("%d %d\n", zero ? ++n : 7, zero == 0 ? 8 : ++n);
	printf("%d\n", n);
	x = 2;
	printf("%s\n", x == 1 ? "one" : x == 2 ? "two" : "many");
	y = 3;
	printf("%s %d\n", y > x ? "more" : "less", zero ? 1 / zero : -1);
	printf("%s\n", zero ? "text" : probename);
	exit(0);
}
