/* Bytes of strings compare as unsigned numbers. */
#pragma D option quiet

BEGIN
{
	a = "\x80";
	b = "\x7f";
	printf("%d%d%d\n", a > b, a > "\x7f", "\x7f" < a);
	exit(0);
}
