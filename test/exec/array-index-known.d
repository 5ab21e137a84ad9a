/* Indexes with only one or two possible values, in ways that the verifier does not follow. */
#pragma D option quiet
this unsigned short t;
struct one { int i; unsigned int a[1]; };
struct four { unsigned long n; uint8_t m; union { uint32_t w; int8_t b[4]; } u; };
struct one g;
this struct one l;
struct four h;
this struct four k;
uint8_t wide;

BEGIN
{
	printf("%d\n", this->l.a[g.i]);
	h.n = 3;
	this->k.m = 1;
	this->t ^= (this->k.m >= 1) % 10;
}

BEGIN
{
	this->k.u.b[(h.n && this->t) & 3] ^= 1;
	wide = (uint8_t)(h.n % 10);
	this->k.u.b[(uint8_t)(h.n % 3)] += 5;
	printf("%d %d %d\n", this->k.u.b[0], this->k.u.b[1], wide);
	exit(0);
}
