/* link_ntop(): Ethernet and Infiniband addresses; any other kind is an illegal operation. */
#pragma D option quiet

BEGIN
{
	this->p = (char *)alloca(20);
	this->p[0] = 1;
	this->p[1] = 0xab;
	this->p[5] = 255;
	this->p[8] = 0x80;
	this->p[19] = 0x7f;
	printf("%s\n%s\n", link_ntop(ARPHRD_ETHER, this->p), link_ntop(ARPHRD_INFINIBAND, this->p));
}

BEGIN
{
	trace(link_ntop(2, alloca(20)));
}

BEGIN
{
	trace(link_ntop(1, (void *)0x40));
}

BEGIN
{
	exit(0);
}
