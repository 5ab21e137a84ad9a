/* alloca(): memory of the clause, zeroed, written and read through pointers. */
#pragma D option quiet

struct pair {
	int a;
	char b[4];
	short bits : 3, rest : 13;
};

BEGIN
{
	this->p = (int *)alloca(5 * sizeof (int));
	printf("%d %d\n", this->p[0], this->p[4]);
	*this->p = 3;
	this->p[1] = -4;
	this->i = 2;
	this->p[this->i] = this->p[0] + this->p[1];
	*(this->p + 3) = 7;
	this->p[3] += 10;
	this->p[4]++;
	printf("%d %d %d %d %d\n", this->p[0], *(this->p + 1), this->p[this->i], this->p[3], this->p[4]);
	this->old = *this->p;
	*this->p = 99;
	printf("%d %d\n", this->old, *this->p);

	this->s = (struct pair *)alloca(sizeof (struct pair));
	this->s->a = 11;
	this->s->b[1] = 'x';
	this->s->bits = 2;
	this->s->rest = -1;
	printf("%d %d %d %d\n", this->s->a, this->s->b[1], this->s->bits, this->s->rest);
	this->t = (struct pair *)alloca(sizeof (struct pair));
	*this->t = *this->s;
	this->s->a = 12;
	printf("%d %d %d\n", this->t->a, this->t->rest, this->s->a);
	printf("%d\n", (uintptr_t)this->t - (uintptr_t)this->s == ((sizeof (struct pair) + 7) & ~7));
}

/* Text and bytes. */
BEGIN
{
	this->c = (char *)alloca(6);
	this->c[0] = 'a';
	this->c[1] = 'b';
	this->c[2] = this->c[0] + 2;
	printf("[%s] %d\n", stringof(this->c), strlen(this->c));
	this->c[1] = '-';
	printf("[%s]\n", stringof(this->c));
	tracemem(this->c, 6);
	trace(stringof(this->c));
}

/* Kept in variables, of any kind and by condition. */
BEGIN
{
	g = (long *)alloca(8);
	self->q = g;
	*self->q = 5;
	a[1] = g;
	*(a[1]) += 1;
	this->r = *g > 5 ? g : NULL;
	*this->r *= 2;
	printf("\n%d\n", *g);
	this->e = (char *)alloca(0);
	exit(0);
}
/* @afar line 13: reading memory */
