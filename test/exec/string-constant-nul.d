/* A string constant ends at a \0 in it, but has its written size.  rows: strlen index */
#pragma D option quiet

int m[string];
string g;

BEGIN
{
	printf("%d %d %d\n", strlen("a\0b"), strlen("\0abc"), sizeof ("a\0b"));
	m["a\0b"] = 1;
	m["a\0c"] = 2;
	g = "xyz";
	g = "a\0bc";
	this->t = "a\0d";
	printf("%d %d %d %d\n", m["a"], m["a\0b"], m[g], m[this->t]);
	printf("%d %d %d\n", g == "a", "a\0b" == "a\0c", index("a\0bc", "c"));
	printf("[%s][%s]\n", strjoin("a\0b", "cd"), substr("ab\0cd", 1));
	printf("%c\n", ("abc\0de")[5]);
	@["a\0b"] = count();
	@["a\0c"] = count();
	exit(0);
}
