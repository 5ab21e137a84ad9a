/* A string keeps strsize characters; its NUL does not count. */
#pragma D option quiet
#pragma D option strsize=8

BEGIN
{
	s = "0123456789";
	printf("%s %d\n", s, strlen(s));
	printf("%d %d\n", sizeof (string), s == "01234567");
	exit(0);
}
