/* htons() and similar functions swap bytes on little-endian machines; a swap undoes itself. */
#pragma D option quiet

BEGIN
{
	a = 0x1234;
	b = 0x12345678;
	c = 0x123456789abcdef0;
	printf("%x %x %x\n", htons(a), htonl(b), htonll(c));
	printf("%x %x %x\n", ntohs(a), ntohl(b), ntohll(c));
	printf("%x %x\n", htons(0x56781234), ntohl(0xffffffff12345678));
	printf("%x %x %x\n", ntohs(htons(a)), ntohl(htonl(b)), ntohll(htonll(c)));
	printf("%d %d\n", htons(0x0080), sizeof (htonl(1)));
	exit(0);
}
/* rows: htons htonl htonll ntohs ntohl ntohll */
