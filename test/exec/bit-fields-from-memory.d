/* Bit-fields of the kernel's memory. */
/* @mem kernel 0x1000 a5 0f f0 80 */
#pragma D option quiet

struct bits {
	unsigned int low : 4;
	int high : 4;
	unsigned int mid : 16;
	int last : 8;
};

BEGIN
{
	this->p = (struct bits *)0x1000;
	printf("%d %d %x %d\n", this->p->low, this->p->high, this->p->mid, this->p->last);
	exit(0);
}
