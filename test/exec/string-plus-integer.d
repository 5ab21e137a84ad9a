/* A string plus N is the string without its first N characters. */
#pragma D option quiet

string never[int];

BEGIN
{
	s = "abcdef";
	i = 2;
	printf("[%s] [%s] [%s]\n", s + 1, i + s, "xyz" + i);
	t = execname + 0;
	printf("%d %d %c %d\n", t == execname, (s + 3) == "def", *(s + 4), strlen(s + 6));
	printf("[%s] %d\n", strjoin(1 + s, s + 5), sizeof (s + 1) == sizeof (string));
}

BEGIN
{
	trace(never[1] + 3);
}

ERROR
{
	printf("%d %d\n", arg4, arg5);
	exit(0);
}
