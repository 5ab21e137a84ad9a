/* The first alternative that compiles is the value of an inline. */
#pragma D option quiet

struct known {
	int old;
};

inline int missing[struct known *k] = k->new else k->old;
inline int first = 1 else 2;
inline int name = no_such_name + 1 else other_such_name else 7;
inline int later[struct known *k] = missing[k] + 1 else 0;

BEGIN
{
	this->k = (struct known *)alloca(sizeof(struct known));
	this->k->old = 40;
	printf("%d %d %d %d\n", missing[this->k], first, name, later[this->k]);
	exit(0);
}
