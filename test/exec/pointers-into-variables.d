/* Pointers into arrays, strings and structures of D: computed, kept, and read after changes. */
#pragma D option quiet

struct st { char c[4]; int n; } v, list[2];
int a[4];
int *kept[int];
string s;
char c[6];
int i;
inline int at[int *p] = p[i];

BEGIN
{
	i = 1;
	a[1] = 10;
	a[2] = 20;
	v.c[1] = 'x';
	list[1].n = 30;
	s = "abc";
	c[0] = 'y';
	c[1] = 'z';
	this->p = (int *)a;
	printf("%d %d %d\n", this->p[i], *(a + i), *(&a[0] + i + 1));
	self->p = &v.c[0];
	kept[1] = &a[1];
	printf("%c %d %d\n", self->p[i], *kept[i], kept[i][i]);
	printf("%s %s %c\n", stringof(s + i), stringof(c + i), (s + 1)[i]);
	printf("%d %d %d\n", strlen(s + i), at[a], at[&a[1]]);
	this->q = i ? &a[1] : &a[2];
	printf("%d %d %d\n", *this->q, (&a[2])[-1], *(&list[0].n + 2));
	printf("%d %d\n", &a[3] - &a[i], a + i == &a[1]);
}

BEGIN
{
	this->p = &a[1];
	x = *this->p;
	a[i] = 11;
	y = *this->p;
	s = "def";
	printf("%d %d %c", x, y, *(s + 1));
	s = "ghi";
	c[0] = 'k';
	printf(" %c %c", *(s + 1), *(c + 0));
	c[0] = 'l';
	printf(" %c\n", *(c + 0));
	exit(0);
}
/* @afar line 26: reading memory */
