/* cat(): what is in a file, by the name that its format makes; ordinary files only. */
#pragma D option quiet

BEGIN
{
	cat("/proc/sys/kernel/%s", "ostype");
	cat("/proc/sys/kernel/%s%d", "nosuch", 1);
	cat("/dev/zero");
	printf("behind\n");
}
/* rows: cat */
