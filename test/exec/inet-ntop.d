/* inet_ntop(): by address family; mapped and compatible addresses keep their prefix. */
/* @mem kernel 0x1000 00 00 00 00 00 00 00 00 00 00 ff ff 7f 00 00 01 */
/* @mem kernel 0x1010 00 00 00 00 00 00 00 00 00 00 00 00 0a 00 00 01 */
/* @mem kernel 0x1020 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 01 */
#pragma D option quiet

BEGIN
{
	af = 2;
	printf("%s %s\n", inet_ntop(af, (void *)0x100c), inet_ntop(2, (void *)0x101c));
	af = 10;
	printf("%s %s\n", inet_ntop(af, (void *)0x1000), inet_ntop(10, (void *)0x1010));
	printf("%s\n", inet_ntop(10, (void *)0x1020));
}

BEGIN
{
	af = 3;
	trace(inet_ntop(af, (void *)0x1000));
}
/* @afar line 10: reading memory */
