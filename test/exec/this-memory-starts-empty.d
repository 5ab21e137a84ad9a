/* Clause-local strings, arrays and structures are empty at each firing, like clause-local integers. */
#pragma D option quiet

struct pair {
	int a, b;
};

this string s;
this int c[100];
this struct pair p;

BEGIN
{
	this->s = "left behind";
	this->c[7] = 7;
	this->p.b = 8;
	this->n = 9;
}

BEGIN
{
	printf("%s %d %d %d\n", this->s, this->c[7], this->p.b, this->n);
}

END
{
	printf("[%s] %d %d %d\n", this->s, this->c[7], this->p.b, this->n);
}
