/*
 * substr(s, start, n): a negative start counts from the end; a part before the beginning is
 * subtracted from n.  A negative n leaves off characters at the end.
 */
#pragma D option quiet

BEGIN
{
	s = "foobarbaz";
	printf("[%s] [%s] [%s]\n", substr(s, 3), substr(s, 0), substr(s, 8));
	printf("[%s] [%s] [%s]\n", substr(s, 9), substr(s, 100), substr(s, 3, 0));
	printf("[%s] [%s] [%s]\n", substr(s, 3, 3), substr(s, 6, 100), substr(s, 0, 9));
	printf("[%s] [%s]\n", substr(s, -3), substr(s, -6, 3));
	printf("[%s] [%s]\n", substr(s, -12, 5), substr(s, -12, 3));
	printf("[%s] [%s] [%s]\n", substr(s, 2, -2), substr(s, -5, -2), substr(s, 3, -6));
	printf("[%s] [%s]\n", substr(s, 3, -100), substr("", 0, 1));
	exit(0);
}
