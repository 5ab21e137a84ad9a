/* strtoll(): blanks, a sign, digits of the base, 0x in base 16; stops at any other character. */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d\n", strtoll("0"), strtoll("12345"), strtoll("-12345"));
	printf("%d %d %d\n", strtoll(" \t+7"), strtoll("12ab"), strtoll(""));
	printf("%d %d %d\n", strtoll("x1"), strtoll("- 1"), strtoll("-"));
	printf("%d %d %d\n", strtoll("ff", 16), strtoll("0xFf", 16), strtoll("-0x10", 16));
	printf("%d %d %d\n", strtoll("0x", 16), strtoll("0x10", 10), strtoll("0xg", 16));
	printf("%d %d %d\n", strtoll("1012", 2), strtoll("0777", 8), strtoll("zZ", 36));
	printf("%d %d\n", strtoll("9223372036854775807"), strtoll("-9223372036854775808"));
	exit(0);
}
