/* The first use of an aggregation decides the types of its keys; later ones are converted.  rows: DIALECT_FIRST_KEYS */
#pragma D option quiet
#pragma D option dialect=oracle

BEGIN
{
	@n[(int)5, (uint8_t)7] = count();
	@n[0x100000005, 0x107] = count();
	@n[(char)5, 7] = count();
	@n[-1, 255] = count();
	@n[0xffffffff, -1] = count();
	printa("%d %d: %@d\n", @n);
	exit(0);
}
