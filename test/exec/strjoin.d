/* strjoin() concatenates. */
#pragma D option quiet

BEGIN
{
	a = "left";
	b = "right";
	printf("%s\n", strjoin(a, b));
	printf("%s\n", strjoin(strjoin(a, "-"), strjoin(b, "!")));
	printf("[%s] [%s] [%s]\n", strjoin("", ""), strjoin(a, ""), strjoin("", b));
	c = strjoin(a, a);
	a = strjoin(a, c);
	printf("%s %s\n", a, c);
	exit(0);
}
