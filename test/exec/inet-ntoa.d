/* inet_ntoa(): four bytes in network order. */
/* @mem kernel 0x1000 7f 00 00 01 ff ff ff ff 00 00 00 00 c0 a8 0a 64 */
#pragma D option quiet

BEGIN
{
	printf("%s %s\n", inet_ntoa((ipaddr_t *)0x1000), inet_ntoa((ipaddr_t *)0x1004));
	printf("%s %s\n", inet_ntoa((ipaddr_t *)0x1008), inet_ntoa((ipaddr_t *)0x100c));
	exit(0);
}
