/* Members that are arrays of characters, translated from strings: of inlines, conditions and functions. */
#pragma D option quiet

struct from {
	int n;
};
struct to {
	char inlined[8];
	char chosen[8];
	char made[8];
	char literal[8];
};
inline string name_of[int n] = n == 1 ? "one" : n == 2 ? "two" : "many";
translator struct to < struct from *F > {
	inlined = name_of[F->n];
	chosen = F->n == 1 ? "first" : "other";
	made = strjoin("n", lltostr(F->n));
	literal = "text";
};
this struct from *f;

BEGIN
{
	this->f = (struct from *)alloca(sizeof (struct from));
	this->f->n = 2;
	printf("%s %s %s %s\n", xlate <struct to> (this->f).inlined, xlate <struct to> (this->f).chosen,
	    xlate <struct to> (this->f).made, xlate <struct to> (this->f).literal);
	trace(xlate <struct to> (this->f).inlined);
	printf(" %d %d %d\n", xlate <struct to> (this->f).inlined == "two", sizeof (xlate <struct to> (this->f).made),
	    strlen(xlate <struct to> (this->f).chosen));
	@[xlate <struct to> (this->f).inlined, xlate <struct to> (this->f).made] = count();
	exit(0);
}
