/* Bytes that memref() refers to.  rows: printm */
#pragma D option quiet

BEGIN
{
	this->p = (char *)alloca(8);
	this->p[0] = 'A';
	this->p[7] = 'Z';
	printm(8, memref((uintptr_t)this->p, 8));
	exit(0);
}
/* @afar line 9: printm() */
