/* A string keeps strsize - 1 characters. */
#pragma D option quiet
#pragma D option strsize=8

BEGIN
{
	s = "0123456789";
	printf("%s %d\n", s, strlen(s));
	printf("%d %d\n", sizeof (string), s == "0123456");
	exit(0);
}
