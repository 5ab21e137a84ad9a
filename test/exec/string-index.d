/* Characters of strings, by any index: beyond the NUL of a full string it is a fault. */
#pragma D option quiet

struct st { int n; string s; } v;
string s;
string list[2];
string assoc[int];
int i;

BEGIN
{
	i = 1;
	s = "abc";
	self->s = "def";
	this->s = "ghi";
	list[1] = "jkl";
	assoc[7] = "mno";
	v.s = "pqr";
	printf("%c%c%c%c%c%c\n", s[i], self->s[i], this->s[i], list[i][i], assoc[7][i], v.s[i]);
	printf("%c%c%c\n", "stu"[i], basename("/a/vwx")[i], strjoin(s, s)[i + 2]);
	printf("%d %d\n", s[i + 2], s[256]);
	printf("%c%c%c%c\n", *s, *"jkl", *v.s, *strjoin("xyz", s));
}

BEGIN
{
	s[i] = 'B';
	self->s[i] = 'E';
	this->s[0] = 'G';
	list[i][i]++;
	assoc[7][2] = 'O';
	v.s[i] -= 1;
	*v.s = 'P';
	printf("%s %s %s %s %s %s\n", s, self->s, this->s, list[1], assoc[7], v.s);
}

BEGIN
{
	i = 257;
	trace(s[i]);
}

BEGIN
{
	trace("abc"[1000]);
}

BEGIN
{
	trace(s[300]);
}

BEGIN
{
	exit(0);
}

ERROR
{
	printf("%d\n", arg4);
}
