/* A structure declared before strsize has room for such strings as well.  rows: -xstrsize */
struct inner { string s; char c; };
struct outer { struct inner in[2]; int n; } v;
string list[2];

#pragma D option strsize=300
#pragma D option quiet

BEGIN
{
	this->c = "0123456789012345678901234567890123456789012345678901234567890123456789";
	this->long = strjoin(strjoin(this->c, this->c), strjoin(this->c, this->c));
	v.in[0].c = 'x';
	v.n = 7;
	v.in[0].s = this->long;
	v.in[1].s = this->long;
	list[1] = "one";
	list[0] = this->long;
	printf("%d %d %c %d %s\n", strlen(v.in[0].s), strlen(v.in[1].s), v.in[0].c, v.n, list[1]);
	printf("%d %d %d\n", sizeof (struct inner), sizeof (v), sizeof (list));
	exit(0);
}
