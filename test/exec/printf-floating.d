/* Floating-point values are read from memory; D does not compute with them. */
/* @mem kernel 0x1000 00 00 c0 3f */
/* @mem kernel 0x2000 00 00 00 00 00 00 04 c0 */
#pragma D option quiet

BEGIN
{
	f = (float *)0x1000;
	d = (double *)0x2000;
	printf("[%f] [%.2f] [%8.1f] [%e] [%E]\n", *f, *d, *f, *d, *f);
	printf("[%g] [%G] [%-8g]\n", *f, *d, *d);
	exit(0);
}
/* rows: %e %E %f %g %G */
