/* A structure of the kernel's memory: members through a pointer, and a copy of the whole. */
/* @mem kernel 0x1000 ff ff ff ff 02 00 34 12 41 42 00 00 00 00 00 00 10 10 00 00 00 00 00 00 */
#pragma D option quiet

struct node {
	int a;
	int8_t b;
	uint16_t c;
	char text[8];
	struct node *next;
};

struct node copy;

BEGIN
{
	this->n = (struct node *)0x1000;
	printf("%d %d %x %s\n", this->n->a, this->n->b, this->n->c, this->n->text);
	copy = *this->n;
	printf("%d %x [%s] %x\n", copy.a, copy.c, stringof(copy.text), (uint64_t)copy.next);
	printf("%d\n", &this->n[1] - this->n);
	exit(0);
}
