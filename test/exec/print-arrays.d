/* print(): arrays of structures, pointers to functions, members that are strings. */
#pragma D option quiet

struct e {
	int a;
};
struct s {
	struct e list[2];
	int (*f)(int, char *);
	string text;
	int n[2];
};

struct s v;

BEGIN
{
	v.list[0].a = 1;
	v.text = "ab";
	v.n[1] = 2;
	print(v);
	exit(0);
}
