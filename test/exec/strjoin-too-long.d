/* Two strings that do not fit into one string: out of scratch space. */
#pragma D option quiet
#pragma D option strsize=8

BEGIN
{
	s = "abc";
	printf("%s %s\n", strjoin(s, "defg"), strjoin("abcdefg", ""));
}

BEGIN
{
	printf("%s\n", strjoin(s, "defghi"));
}

BEGIN
{
	printf("%s\n", strjoin("abcdefghi", s));
}

ERROR
{
	printf("%d\n", arg4);
}

END
{
	printf("%s\n", strjoin("", s));
}
