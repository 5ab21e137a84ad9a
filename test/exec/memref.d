/* memref(): an address and a size side by side. */
#pragma D option quiet

BEGIN
{
	this->p = (uint64_t *)memref(0x1234, 5);
	printf("%x %d\n", this->p[0], this->p[1]);
	exit(0);
}
