/* Integers move a pointer by elements; differences are elements. */
/* @mem kernel 0x1000 01 00 00 00 02 00 00 00 03 00 00 00 04 00 00 00 */
/* @afar reading memory */
#pragma D option quiet

BEGIN
{
	this->p = (int *)0x1008;
	printf("%d %d %d %d\n", *(this->p - 2), *(this->p - 1), *(this->p + 1), *(1 + this->p));
	printf("%d %d\n", this->p - (int *)0x1000, (int *)0x1000 - this->p);
	this->p -= 2;
	printf("%x", (uint64_t)this->p);
	this->p += 3;
	printf(" %x", (uint64_t)this->p);
	this->p--;
	printf(" %x", (uint64_t)this->p);
	++this->p;
	printf(" %x\n", (uint64_t)this->p);
	this->n = 2;
	printf("%x %x\n", (uint64_t)((short *)0x2000 - this->n), (uint64_t)((short *)0x2000 + this->n));
	this->q = (int64_t *)alloca(32);
	this->q[3] = 33;
	this->q += 4;
	printf("%d %d\n", *(this->q - 1), this->q[-1]);
	exit(0);
}
