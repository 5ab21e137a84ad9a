/* A variable with a userland pointer type has an address of the process, others the kernel's. */
/* @mem kernel 0x1000 01 00 00 00 */
/* @mem user 0x1000 02 00 00 00 */
#pragma D option quiet

int userland *u, *us[int];
int *k, *ks[int];
self int userland *us;
self int *ks;

BEGIN
{
	u = (userland int *)0x1000;
	k = (int *)0x1000;
	us[1] = u;
	ks[1] = k;
	self->us = u;
	self->ks = k;
	this->u = u;
	this->k = k;
	this->n = 0x1000;
	printf("%d %d\n", *u, *k);
	printf("%d %d\n", *us[1], *ks[1]);
	printf("%d %d\n", *self->us, *self->ks);
	printf("%d %d\n", *this->u, *this->k);
	printf("%d %d\n", *(int *)this->n, *(int *)(this->n + 0));
	exit(0);
}
