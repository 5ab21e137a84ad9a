/* $1 is a number, an identifier or a string, by its form; $$1 is always a string. */
/* @args 17 0x10 word /path/x */
#pragma D option quiet

BEGIN
{
	word = 5;
	printf("%d %d %d %s\n", $1, $2 * 2, $3, $4);
	printf("%s %s %s %s\n", $$1, $$2, $$3, $$4);
	printf("%d %d\n", $1 + $1, strlen($$1));
	exit(0);
}
