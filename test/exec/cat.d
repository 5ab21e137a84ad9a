/* cat(): prints a file, whose name comes from the format; ordinary files only. */
#pragma D option quiet

BEGIN
{
	cat("/proc/sys/kernel/%s", "ostype");
	cat("/proc/sys/kernel/%s%d", "nosuch", 1);
	cat("/dev/zero");
	printf("behind\n");
}
/* rows: cat */
