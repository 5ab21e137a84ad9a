/*
 * Each statement's integer keys have their own width, and print with it: equal keys of different
 * size are separate rows.
 * @there keys of several peers that have equal values are one
 */
#pragma D option quiet

BEGIN
{
	@n[(int)5, (uint8_t)7] = count();
	@n[0x100000005, 0x107] = count();
	@n[(char)5, 7] = count();
	@n[(int)5, (uint8_t)0x107] = count();
	printa("%d %d: %@d\n", @n);
	printa(@n);
	exit(0);
}
