/* Translated values and assignments in places where a number or a condition stands. */
#pragma D option quiet

struct from { int x; };
struct to { int a; char c[4]; };
translator struct to < struct from *f > { a = f->x; };

BEGIN
{
	this->f = (struct from *)alloca(sizeof(struct from));
	this->f->x = 42;
	printf("%d %d %d\n", xlate<struct to>(this->f).a, xlate<struct to *>(this->f)->a,
	    xlate<struct to>(this->f).a ? 1 : 2);
	printf("%d\n", (this->x = 5, this->x + 1));
	printf("%s\n", (this->x = 5, "text"));
}
