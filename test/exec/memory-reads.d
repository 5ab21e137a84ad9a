/* Following kernel addresses: every width and sign, arrays, pointers to pointers, strings. */
/* @mem kernel 0x1000 ff 80 01 00 fe ff ff ff 88 77 66 55 44 33 22 11 */
/* @mem kernel 0x2000 00 10 00 00 00 00 00 00 08 20 00 00 00 00 00 00 */
/* @mem kernel 0x3000 "kernel text\0" */
#pragma D option quiet

BEGIN
{
	printf("%d %d\n", *(int8_t *)0x1000, *(uint8_t *)0x1000);
	printf("%d %d\n", *(int16_t *)0x1000, *(uint16_t *)0x1000);
	printf("%d %d\n", *(int32_t *)0x1004, *(uint32_t *)0x1004);
	printf("%x\n", *(uint64_t *)0x1008);
	printf("%d %x\n", ((int8_t *)0x1000)[1], ((uint16_t *)0x1000)[4]);
	i = 2;
	printf("%d %x\n", ((char *)0x1000)[i], *((uint16_t *)0x1006 + i));
	printf("%x\n", **(uint64_t **)0x2008 == 0x2008);
	printf("%x\n", **(uint16_t **)0x2000);
	printf("%s %d\n", stringof(0x3000), (char *)0x3000 == "kernel text");
	printf("%s\n", stringof((char *)0x3000 + 7));
	printf("%d\n", (int *)0x1010 - (int *)0x1000);
}
/* @afar line 15: reading memory */
