/* inet_ntoa6(): the longest run of zeros, the first of equals, becomes two colons, a last zero alone not. */
/* @mem kernel 0x1000 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 */
/* @mem kernel 0x1010 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 01 */
/* @mem kernel 0x1020 fe 80 00 00 00 00 00 00 02 14 4f ff fe 0b 76 c8 */
/* @mem kernel 0x1030 10 80 00 00 00 00 00 00 00 00 08 08 00 0c 41 7a */
/* @mem kernel 0x1040 00 00 00 00 00 00 00 00 00 00 ff fe 7f 00 00 01 */
/* @mem kernel 0x1050 fe 12 34 56 78 9a bc de 02 14 00 00 00 00 00 00 */
/* @mem kernel 0x1060 00 00 00 00 00 00 00 00 00 00 00 00 7f 00 00 01 */
/* @mem kernel 0x1070 00 00 00 00 00 00 00 00 00 00 ff ff 7f 00 00 01 */
/* @mem kernel 0x1080 00 01 00 00 00 00 00 02 00 00 00 00 00 03 00 04 */
/* @mem kernel 0x1090 12 34 56 78 9a bc de f0 01 23 45 67 89 ab cd ef */
/* @mem kernel 0x10a0 fe 80 00 01 00 00 00 02 00 04 00 04 00 05 00 09 */
/* @mem kernel 0x10b0 fe 80 00 01 00 03 00 02 00 04 00 04 00 05 00 00 */
/* @mem kernel 0x10c0 00 00 00 01 00 03 00 02 00 04 00 04 00 00 00 09 */
#pragma D option quiet

BEGIN
{
	printf("%s %s\n", inet_ntoa6((in6_addr_t *)0x1000), inet_ntoa6((in6_addr_t *)0x1010));
	printf("%s %s\n", inet_ntoa6((in6_addr_t *)0x1020), inet_ntoa6((in6_addr_t *)0x1030));
	printf("%s %s\n", inet_ntoa6((in6_addr_t *)0x1040), inet_ntoa6((in6_addr_t *)0x1050));
	printf("%s %s\n", inet_ntoa6((in6_addr_t *)0x1060), inet_ntoa6((in6_addr_t *)0x1070));
	printf("%s %s\n", inet_ntoa6((in6_addr_t *)0x1060, 1), inet_ntoa6((in6_addr_t *)0x1070, 1));
	printf("%s %s\n", inet_ntoa6((in6_addr_t *)0x1080), inet_ntoa6((in6_addr_t *)0x1090));
	printf("%s %s\n", inet_ntoa6((in6_addr_t *)0x10a0), inet_ntoa6((in6_addr_t *)0x10b0));
	printf("%s\n", inet_ntoa6((in6_addr_t *)0x10c0));
	exit(0);
}
