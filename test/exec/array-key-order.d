/* An assignment computes its value before the keys of the element, whatever their types. */
#pragma D option quiet
#pragma D option strsize=8

string s[int, int];
int n[int, int];
int i;
int j;
int zero;

BEGIN
{
	s[i++, 1] = strjoin("eight", "more");
}

BEGIN
{
	n[i++, 1] = 1 / zero;
}

BEGIN
{
	s[i, j++] = (j == 0) ? "first" : "second";
	n[i, j++] = j;
	printf("%d %d %s %d\n", i, j, s[0, 0], n[0, 1]);
	exit(0);
}
